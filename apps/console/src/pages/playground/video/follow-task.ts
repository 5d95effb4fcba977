import { isApiError } from '../../../api/api-error.js';
import { apiErrorOf } from '../bench/failures.js';
import { fieldsOf, numberOf, textOf } from '../bench/json.js';
import type { CallApi, ReadContext } from '../bench/kind.js';

/** What the page shows of a task. */
export interface VideoTask {
  readonly id: string;
  readonly status: string;
  /** Per cent; null: the vendor reports none. */
  readonly progress: number | null;
  readonly url: string | null;
  /** After a stop: what it may still cost, in the gateway's words. */
  readonly cancellation: string | null;
}

const PATH = '/v1/videos/generations';
const POLL_MS = 1_500;

function taskOf(record: unknown): VideoTask {
  const { id, task_id: taskId, status, progress, content, cancellation } = fieldsOf(record);
  return {
    id: textOf(id) || textOf(taskId),
    status: textOf(status),
    progress: numberOf(progress) ?? null,
    url: textOf(fieldsOf(content).video_url) || null,
    cancellation: textOf(fieldsOf(cancellation).message) || null,
  };
}

const RUNNING: readonly string[] = ['queued', 'running'];

/** Resolves after the time, or at once when the person stops it. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, POLL_MS);
    if (!signal.aborted) signal.addEventListener('abort', end);
  });

/** A network that is away for a moment does not end the task, so the next poll asks again. */
async function poll(callApi: CallApi, id: string): Promise<unknown> {
  try {
    return await (await callApi(`${PATH}/${id}`)).json();
  } catch (error) {
    if (isApiError(error) && error.status < 500) throw error;
    return undefined;
  }
}

/** Follows a task to its end. A stop asks the vendor to cancel it; the task itself says what came of that. */
export async function followTask({ response, emit, signal, callApi }: ReadContext<VideoTask | null>): Promise<void> {
  let record: unknown = await response.json();
  let task = taskOf(record);
  let isCancelled = false;
  emit(task);
  while (RUNNING.includes(task.status)) {
    await pause(isCancelled ? new AbortController().signal : signal);
    if (signal.aborted && !isCancelled) {
      isCancelled = true;
      await callApi(`${PATH}/${task.id}/cancel`, { method: 'POST' });
    }
    record = (await poll(callApi, task.id)) ?? record;
    task = taskOf(record);
    emit(task);
  }
  const { error } = fieldsOf(record);
  if (task.status !== 'succeeded' && task.status !== 'cancelled') throw apiErrorOf({ error }, 200, task.id);
}
