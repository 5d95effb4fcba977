import { VIDEO_LIST_LIMIT, VIDEO_TASK_STATUSES } from '@gateway/contracts';
import { z } from 'zod';
import type { FreeTool, JsonObject } from '../../tool.js';
import { dataAnswer, gatewayFacts } from '../content.js';
import {
  listedRecord,
  readTask,
  recordOutput,
  taskAnswer,
  taskIdHint,
  taskIdInput,
  taskPath,
  VIDEO_ENDPOINT,
  VIDEO_PATH,
} from './video-record.js';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export const getVideo: FreeTool = {
  kind: 'free',
  name: 'get_video',
  title: 'Look at a video',
  description:
    'Tells how far a video is, and where it is once it has succeeded. Comes back at once: to wait, use wait_for_video.',
  endpoint: VIDEO_ENDPOINT,
  input: taskIdInput,
  hints: taskIdHint,
  output: recordOutput,
  annotations: READS,
  run: async (given, call) => taskAnswer(await readTask(call, taskPath(given))),
};

export const cancelVideo: FreeTool = {
  kind: 'free',
  name: 'cancel_video',
  title: 'Cancel a video',
  description:
    'Stops a video that is not done. The answer says what is still charged: some vendors cannot stop what they have begun.',
  endpoint: VIDEO_ENDPOINT,
  input: taskIdInput,
  hints: taskIdHint,
  output: recordOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },

  async run(given, { gateway }) {
    const answer = await gateway.ask({ method: 'POST', path: `${taskPath(given)}/cancel`, json: {} });
    return taskAnswer({ task: await answer.json(), facts: answer.facts });
  },
};

export const listVideos: FreeTool = {
  kind: 'free',
  name: 'list_videos',
  title: 'List videos',
  description: "Lists the account's video tasks, the newest first.",
  endpoint: VIDEO_ENDPOINT,
  input: z.looseObject({
    status: z.enum(VIDEO_TASK_STATUSES).optional(),
    model: z.string().optional(),
    limit: z.int().min(VIDEO_LIST_LIMIT.least).max(VIDEO_LIST_LIMIT.most).optional(),
    cursor: z.string().optional(),
  }),
  hints: {
    status: 'Only tasks that stand there.',
    model: 'Only tasks of that model.',
    limit: `How many, ${VIDEO_LIST_LIMIT.usual} if left out.`,
    cursor: 'The next_cursor of the page before.',
  },
  output: z.looseObject({ data: z.array(listedRecord), next_cursor: z.string().nullish(), gateway: gatewayFacts }),
  annotations: READS,

  async run(given, { gateway }) {
    const query = new URLSearchParams();
    for (const name of ['status', 'model', 'limit', 'cursor']) {
      if (given[name] !== undefined && given[name] !== null) query.set(name, String(given[name]));
    }
    const path = query.size === 0 ? VIDEO_PATH : `${VIDEO_PATH}?${query}`;
    const answer = await gateway.ask({ method: 'GET', path });
    return dataAnswer(await answer.json<JsonObject>(), answer.facts);
  },
};
