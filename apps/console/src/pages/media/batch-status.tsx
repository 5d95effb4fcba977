import { useLingui } from '@lingui/react/macro';
import type { Batch, BatchStatus } from '../../api/media.js';
import { type Meaning, Status } from '../../parts/status.jsx';

const MEANINGS: Readonly<Record<BatchStatus, Meaning>> = {
  validating: 'waiting',
  in_progress: 'running',
  finalizing: 'running',
  cancelling: 'warned',
  completed: 'succeeded',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'ended',
};

export function useBatchWords(): Readonly<Record<BatchStatus, string>> {
  const { t } = useLingui();
  return {
    validating: t`Being checked`,
    in_progress: t`Running`,
    finalizing: t`Collecting results`,
    cancelling: t`Being cancelled`,
    completed: t`Completed`,
    failed: t`Failed`,
    expired: t`Expired`,
    cancelled: t`Cancelled`,
  };
}

export const BatchState = ({ batch }: { readonly batch: Batch }) => (
  <Status meaning={MEANINGS[batch.status]}>{useBatchWords()[batch.status]}</Status>
);
