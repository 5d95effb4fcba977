import { useLingui } from '@lingui/react/macro';
import type { Batch, BatchStatus } from '../../api/media.js';
import { classes } from '../../parts/classes.js';
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

interface BatchStateProps {
  readonly batch: Batch;
  /** True: only the icon on a narrow screen; the word is still read out. */
  readonly isShort?: boolean;
}

export const BatchState = ({ batch, isShort = false }: BatchStateProps) => (
  <Status meaning={MEANINGS[batch.status]}>
    <span className={classes(isShort && 'max-md:sr-only')}>{useBatchWords()[batch.status]}</span>
  </Status>
);
