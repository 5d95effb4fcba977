import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Arguments, FreeTool, ToolContext } from '../../tool.js';
import { invalidArgument, ToolFailure } from '../../tool-failure.js';
import {
  isFinal,
  readTask,
  recordOutput,
  type TaskSnapshot,
  taskIdHint,
  taskIdInput,
  taskPath,
  taskResult,
  VIDEO_ENDPOINT,
} from './video-record.js';

/** Polls instead of subscribing: change events carry no progress. */
const POLL_INTERVAL_MS = 1_500;
const DEFAULT_SECONDS = 300;
const MAX_SECONDS = 600;

export const waitForVideo: FreeTool = {
  kind: 'free',
  name: 'wait_for_video',
  title: 'Wait for a video',
  description:
    'Waits for a video with progress reports, and returns the task with a link to the video. After the time-out it returns ' +
    'the unfinished task: call it again. Waiting costs nothing, and cancelling the wait does not stop the video.',
  endpoint: VIDEO_ENDPOINT,
  input: taskIdInput.extend({ timeout_seconds: z.int().min(1).max(MAX_SECONDS).optional() }),
  hints: {
    ...taskIdHint,
    timeout_seconds: `Maximum time to wait, 1 to ${MAX_SECONDS}; ${DEFAULT_SECONDS} by default.`,
  },
  output: recordOutput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async run(args, call) {
    const path = taskPath(args);
    const startedMs = Date.now();
    const untilMs = startedMs + secondsOf(args) * 1_000;
    for (;;) {
      const snapshot = await readTask(call, path).catch((error: unknown) => rethrowUnlessTransient(error, untilMs));
      if (snapshot !== undefined && (isFinal(snapshot.task) || Date.now() >= untilMs)) return taskResult(snapshot);
      if (snapshot !== undefined) await report(snapshot, call, Date.now() - startedMs, untilMs - startedMs);
      await sleep(Math.max(1, Math.min(POLL_INTERVAL_MS, untilMs - Date.now())), undefined, {
        signal: call.signal,
      }).catch(() => {
        throw new ToolFailure('client_closed_request', 'The call was cancelled.');
      });
    }
  },
};

const SERVER_ERROR = 500;

/** Ignores transient failures (5xx, 429) until the time-out, such as a gateway that restarts. */
function rethrowUnlessTransient(error: unknown, untilMs: number): undefined {
  if (!(error instanceof ToolFailure) || error.code === 'client_closed_request') throw error;
  const { status = SERVER_ERROR } = error.details;
  if ((status < SERVER_ERROR && status !== 429) || Date.now() >= untilMs) throw error;
}

/** Reports the elapsed seconds as progress: a vendor's percentage may be missing or decrease. */
async function report(
  { task }: TaskSnapshot,
  { progress }: ToolContext,
  elapsedMs: number,
  totalMs: number,
): Promise<void> {
  const percentage = task.progress === null || task.progress === undefined ? '' : `, ${task.progress} %`;
  await progress?.(elapsedMs / 1_000, `${task.status}${percentage}`, totalMs / 1_000);
}

function secondsOf({ timeout_seconds: seconds = DEFAULT_SECONDS }: Arguments): number {
  if (typeof seconds === 'number' && seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw invalidArgument('timeout_seconds', `expected a number from 1 to ${MAX_SECONDS}.`);
}
