import { useLingui } from '@lingui/react/macro';
import type { Task } from '../api/media.js';
import { duration } from '../format/time.js';
import { timeLeft } from '../format/time-left.js';
import { useNow } from './figures.jsx';
import { Progress } from './progress.jsx';

const TICK_MS = 1_000;
const PER_CENT = 100;

/** What the vendor reports, and what is left if the task takes as long as its model usually does. */
export function TaskProgress({
  task,
}: {
  readonly task: Pick<Task, 'id' | 'accepted_at' | 'usual_duration_ms' | 'progress'>;
}) {
  const { t, i18n } = useLingui();
  const now = useNow(TICK_MS);
  const { elapsedMs, leftMs, share, isLate } = timeLeft({
    beganAtMs: task.accepted_at === null ? null : Date.parse(task.accepted_at),
    usualMs: task.usual_duration_ms,
    nowMs: now.getTime(),
  });
  const left = leftMs === null ? null : duration(leftMs, i18n.locale);
  const elapsed = duration(elapsedMs, i18n.locale);
  const estimate = isLate
    ? t`${elapsed} so far, longer than usual`
    : left === null
      ? t`${elapsed} so far; no task of this model has ended yet`
      : t`about ${left} left, at its usual pace`;
  const reported = task.progress === null ? '' : `${Math.round(task.progress)} % · `;
  const words = `${reported}${estimate}`;
  return (
    <div className="flex flex-col gap-1.5">
      <Progress
        label={t`Progress of ${task.id}`}
        share={task.progress === null ? share : task.progress / PER_CENT}
        words={words}
      />
      <p className="figures text-muted text-small">{words}</p>
    </div>
  );
}
