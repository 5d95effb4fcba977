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

interface DeliveryStateProps extends Pick<Delivery, 'state'> {
  /** True: only the icon on a narrow screen. */
  readonly isShort?: boolean;
}

export const DeliveryState = ({ state, isShort = false }: DeliveryStateProps) => (
  <Status meaning={MEANINGS[state]} isShort={isShort}>
    {useDeliveryWords()[state]}
  </Status>
);
