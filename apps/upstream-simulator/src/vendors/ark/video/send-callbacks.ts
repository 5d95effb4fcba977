import type { ResultStore } from '../../../results/result-store.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { ArkTaskSpec } from './ark-task-spec.js';
import { taskBody } from './task-body.js';

const RESPONSE_TIMEOUT_MS = 5_000;
const FINAL_STATE_RETRIES = 3;

/** The status of the answer; null if there was none in time. */
async function post(url: string, body: string): Promise<number | null> {
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.status;
  } catch {
    // To whom nobody listens is for the vendor one answer among others: it is kept with the task, and tried again.
    return null;
  }
}

/** Tells a task's present state to the client's address; the end of a task is told again until it is acknowledged. */
export function sendCallback(task: VideoTask<ArkTaskSpec>, url: string, results: ResultStore): void {
  const { state } = task;
  if (state === 'cancelled' || task.spec.directives.taskVanishes === true) return;
  const body = JSON.stringify(taskBody(task, state, results));
  const retries = state === 'succeeded' || state === 'failed' ? FINAL_STATE_RETRIES : 0;
  const attempt = async (left: number): Promise<void> => {
    const status = await post(url, body);
    task.callbacks.push({ state, status });
    const isAcknowledged = status !== null && status >= 200 && status < 300;
    if (!isAcknowledged && left > 0) await attempt(left - 1);
  };
  void attempt(retries);
}
