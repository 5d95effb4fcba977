import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Arguments, FreeTool, ToolCall } from '../../tool.js';
import { ToolFailure, wrongArgument } from '../../tool-failure.js';
import {
  isFinal,
  readTask,
  recordOutput,
  type TaskRevision,
  taskAnswer,
  taskIdHint,
  taskIdInput,
  taskPath,
  VIDEO_ENDPOINT,
} from './video-record.js';

/** Asked rather than listened to: events tell when a task's state changes, and not how far it is, which is what is told here. */
const LOOK_AGAIN_MS = 1_500;
const DEFAULT_SECONDS = 300;
const MOST_SECONDS = 600;

export const waitForVideo: FreeTool = {
  kind: 'free',
  name: 'wait_for_video',
  title: 'Wait for a video',
  description:
    'Waits until a video has ended, telling its progress, and gives back the task with a link to the video. If the time is ' +
    'over first it gives back the task as it stands: call it again. Waiting costs nothing, and to leave does not stop the video.',
  endpoint: VIDEO_ENDPOINT,
  input: taskIdInput.extend({ timeout_seconds: z.int().min(1).max(MOST_SECONDS).optional() }),
  hints: {
    ...taskIdHint,
    timeout_seconds: `The longest to wait, 1 to ${MOST_SECONDS}; ${DEFAULT_SECONDS} if left out.`,
  },
  output: recordOutput,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },

  async run(given, call) {
    const path = taskPath(given);
    const startedMs = Date.now();
    const untilMs = startedMs + secondsOf(given) * 1_000;
    for (;;) {
      const seen = await readTask(call, path).catch((error: unknown) => unlessPassing(error, untilMs));
      if (seen !== undefined && (isFinal(seen.task) || Date.now() >= untilMs)) return taskAnswer(seen);
      if (seen !== undefined) await tell(seen, call, Date.now() - startedMs, untilMs - startedMs);
      await pause(Math.max(1, Math.min(LOOK_AGAIN_MS, untilMs - Date.now())), undefined, { signal: call.signal }).catch(
        () => {
          throw new ToolFailure('client_closed_request', 'The call was cancelled.');
        },
      );
    }
  },
};

const SERVER_ERROR = 500;

/** A gateway that is being rolled out, or is busy, does not end a wait before its time. */
function unlessPassing(error: unknown, untilMs: number): undefined {
  if (!(error instanceof ToolFailure) || error.code === 'client_closed_request') throw error;
  const { status = SERVER_ERROR } = error.details;
  if ((status < SERVER_ERROR && status !== 429) || Date.now() >= untilMs) throw error;
}

/** Time is what surely grows: a vendor may tell no progress, or take some of it back. */
async function tell({ task }: TaskRevision, { progress }: ToolCall, passedMs: number, totalMs: number): Promise<void> {
  const done = task.progress === null || task.progress === undefined ? '' : `, ${task.progress} %`;
  await progress?.(passedMs / 1_000, `${task.status}${done}`, totalMs / 1_000);
}

function secondsOf({ timeout_seconds: seconds = DEFAULT_SECONDS }: Arguments): number {
  if (typeof seconds === 'number' && seconds >= 1 && seconds <= MOST_SECONDS) return seconds;
  throw wrongArgument('timeout_seconds', `expected a number from 1 to ${MOST_SECONDS}.`);
}
