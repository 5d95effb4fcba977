import { useLingui } from '@lingui/react/macro';
import type { Delivery } from '../../api/webhooks.js';
import { type Meaning, Status } from '../../parts/status.jsx';

const MEANINGS: Readonly<Record<Delivery['state'], Meaning>> = {
  pending: 'running',
  delivered: 'succeeded',
  failed: 'failed',
  cancelled: 'ended',
};

export function DeliveryState({ state }: Pick<Delivery, 'state'>) {
  const { t } = useLingui();
  const words = { pending: t`Pending`, delivered: t`Delivered`, failed: t`Failed`, cancelled: t`Cancelled` };
  return <Status meaning={MEANINGS[state]}>{words[state]}</Status>;
}
