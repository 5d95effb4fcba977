import type { FreeTool } from '../../tool.js';
import { pollUntil } from '../poll-until.js';
import { timeoutSeconds } from '../timeout-seconds.js';
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

const TIMEOUT = timeoutSeconds({ least: 1, most: 600, byDefault: 300 });

export const waitForVideo: FreeTool = {
  kind: 'free',
  name: 'wait_for_video',
  title: 'Wait for a video',
  description:
    'Waits for a video with progress reports, and returns the task with a link to the video. After the time-out it returns ' +
    'the unfinished task: call it again. Waiting costs nothing, and cancelling the wait does not stop the video.',
  endpoint: VIDEO_ENDPOINT,
  input: taskIdInput.extend({ timeout_seconds: TIMEOUT.input }),
  hints: {
    ...taskIdHint,
    timeout_seconds: TIMEOUT.hint,
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
        seconds: TIMEOUT.of(args),
      },
      call,
    );
    return taskResult(snapshot);
  },
};
