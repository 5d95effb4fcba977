import type { TaskState } from './timetable.js';
import type { VideoTask } from './video-task.js';

const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `onChange` with every state of a task, the present one first, until it has ended. What it returns is to be called when
 * the task was changed by hand: its clock shows another time then.
 */
export function watchTask(task: VideoTask, onChange: () => void): () => void {
  let known: TaskState | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    clearTimeout(timer);
    const { state, changesAtMs } = task;
    if (changesAtMs < Infinity) {
      timer = setTimeout(look, Math.min(Math.max(1, changesAtMs - Date.now()), MAX_TIMER_MS)).unref();
    }
    if (state !== known) {
      known = state;
      onChange();
    }
  };
  look();
  return look;
}
