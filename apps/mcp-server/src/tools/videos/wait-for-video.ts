import { z } from 'zod';
import type { Arguments, FreeTool } from '../../tool.js';
import { invalidArgument } from '../../tool-failure.js';
import { pollUntil } from '../poll-until.js';
import {
  isFinal,
  readTask,
  recordOutput,
  taskIdHint,
  taskIdInput,
  taskPath,
  taskResult,
  VIDEO_ENDPOINT,
} from './video-record.js';

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
    const snapshot = await pollUntil(
      {
        read: () => readTask(call, path),
        isDone: ({ task }) => isFinal(task),
        describe: ({ task: { status, progress } }) =>
          progress === null || progress === undefined ? status : `${status}, ${progress} %`,
        seconds: secondsOf(args),
      },
      call,
    );
    return taskResult(snapshot);
  },
};

function secondsOf({ timeout_seconds: seconds = DEFAULT_SECONDS }: Arguments): number {
  if (typeof seconds === 'number' && seconds >= 1 && seconds <= MAX_SECONDS) return seconds;
  throw invalidArgument('timeout_seconds', `expected a number from 1 to ${MAX_SECONDS}.`);
}
