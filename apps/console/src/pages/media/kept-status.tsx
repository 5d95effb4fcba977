import { useLingui } from '@lingui/react/macro';
import type { KeptRequest, KeptStatus } from '../../api/media.js';
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

export const KeptState = ({ status }: Pick<KeptRequest, 'status'>) => (
  <Status meaning={MEANINGS[status]}>{useKeptWords()[status]}</Status>
);
