import { useLingui } from '@lingui/react/macro';
import type { Delivery } from '../../api/webhooks.js';
import { type Meaning, Status } from '../../parts/status.jsx';

const MEANINGS: Readonly<Record<Delivery['state'], Meaning>> = {
  pending: 'running',
  delivered: 'succeeded',
  failed: 'failed',
  cancelled: 'ended',
};

export function useDeliveryWords(): Readonly<Record<Delivery['state'], string>> {
  const { t } = useLingui();
  return { pending: t`Pending`, delivered: t`Delivered`, failed: t`Failed`, cancelled: t`Cancelled` };
}

export const DeliveryState = ({ state }: Pick<Delivery, 'state'>) => (
  <Status meaning={MEANINGS[state]}>{useDeliveryWords()[state]}</Status>
);
