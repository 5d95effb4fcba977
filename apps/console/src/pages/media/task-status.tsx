import { useLingui } from '@lingui/react/macro';
import type { Task, TaskStatus } from '../../api/media.js';
import { type Meaning, Status } from '../../parts/status.jsx';

const MEANINGS: Readonly<Record<TaskStatus, Meaning>> = {
  queued: 'waiting',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'ended',
  expired: 'failed',
};

export function useTaskWords(): Readonly<Record<TaskStatus, string>> {
  const { t } = useLingui();
  return {
    queued: t`Queued`,
    running: t`Running`,
    succeeded: t`Succeeded`,
    failed: t`Failed`,
    cancelled: t`Cancelled`,
    expired: t`Expired`,
  };
}

export function TaskState({ task }: { readonly task: Task }) {
  const { t } = useLingui();
  const words = useTaskWords();
  const isStopping =
    task.cancellation?.outcome === 'pending' && (task.status === 'queued' || task.status === 'running');
  return <Status meaning={MEANINGS[task.status]}>{isStopping ? t`Being cancelled` : words[task.status]}</Status>;
}
