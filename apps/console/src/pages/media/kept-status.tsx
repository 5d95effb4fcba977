import { useLingui } from '@lingui/react/macro';
import type { KeptRequest, KeptStatus } from '../../api/media.js';
import { classes } from '../../parts/classes.js';
import { type Meaning, Status } from '../../parts/status.jsx';

const MEANINGS: Readonly<Record<KeptStatus, Meaning>> = {
  queued: 'waiting',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'ended',
};

export function useKeptWords(): Readonly<Record<KeptStatus, string>> {
  const { t } = useLingui();
  return {
    queued: t`Queued`,
    in_progress: t`Running`,
    completed: t`Completed`,
    failed: t`Failed`,
    cancelled: t`Cancelled`,
  };
}

interface KeptStateProps extends Pick<KeptRequest, 'status'> {
  /** True: only the icon on a narrow screen; the word is still read out. */
  readonly isShort?: boolean;
}

export const KeptState = ({ status, isShort = false }: KeptStateProps) => (
  <Status meaning={MEANINGS[status]}>
    <span className={classes(isShort && 'max-md:sr-only')}>{useKeptWords()[status]}</span>
  </Status>
);
