import { isGatewayError } from '../../../api/failures.js';
import { errorIn } from '../bench/failures.js';
import { fieldsOf, numberOf, textOf } from '../bench/json.js';
import type { CallApi, ReadContext } from '../bench/kind.js';

/** What the page shows of a task. */
export interface VideoTask {
  readonly id: string;
  readonly status: string;
  /** Per cent; null: the vendor reports none. */
  readonly progress: number | null;
  readonly url: string | null;
  /** Where the gateway keeps the video; null: only the vendor has it. */
  readonly fileId: string | null;
  /** True once the gateway has the bytes: until then its address leads to the vendor's. */
  readonly isKept: boolean;
  /** After a stop: what it may still cost, in the gateway's words. */
  readonly cancellation: string | null;
}

const PATH = '/v1/videos/generations';
const POLL_MS = 1_500;
/** The gateway fetches a video within seconds. */
const MAX_FILE_POLLS = 20;

function taskOf(record: unknown): VideoTask {
  const { id, task_id: taskId, status, progress, content, cancellation } = fieldsOf(record);
  return {
    id: textOf(id) || textOf(taskId),
    status: textOf(status),
    progress: numberOf(progress) ?? null,
    url: textOf(fieldsOf(content).video_url) || null,
    fileId: textOf(fieldsOf(content).file_id) || null,
    isKept: false,
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

/** Neither a poll that came too often nor a network that is away ends the task, so the next poll asks again. */
async function poll(callApi: CallApi, id: string): Promise<unknown> {
  try {
    return await (await callApi(`${PATH}/${id}`)).json();
  } catch (error) {
    if (isGatewayError(error) && !error.isTransient) throw error;
    return undefined;
  }
}

/** Waits until the gateway has fetched the video. */
async function waitForFile(callApi: CallApi, fileId: string, signal: AbortSignal): Promise<boolean> {
  for (let polls = 0; polls < MAX_FILE_POLLS && !signal.aborted; polls += 1) {
    try {
      await callApi(`/v1/files/${fileId}`);
      return true;
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      await pause(signal);
    }
  }
  return false;
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
  if (task.fileId !== null && (await waitForFile(callApi, task.fileId, signal))) emit({ ...task, isKept: true });
  const { error } = fieldsOf(record);
  if (task.status !== 'succeeded' && task.status !== 'cancelled') throw errorIn({ error }, 200, task.id);
}
