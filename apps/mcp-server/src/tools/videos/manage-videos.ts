import { VIDEO_LIST_LIMIT, VIDEO_TASK_STATUSES } from '@gateway/contracts';
import { z } from 'zod';
import type { FreeTool, JsonObject } from '../../tool.js';
import { dataResult, gatewayFacts } from '../content.js';
import {
  listedRecord,
  readTask,
  recordOutput,
  taskIdHint,
  taskIdInput,
  taskPath,
  taskResult,
  VIDEO_ENDPOINT,
  VIDEO_PATH,
} from './video-record.js';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export const getVideo: FreeTool = {
  kind: 'free',
  name: 'get_video',
  title: 'Get a video',
  description:
    'Returns the state of a video, and a link to it once it has succeeded. Returns at once: to wait, use wait_for_video.',
  endpoint: VIDEO_ENDPOINT,
  input: taskIdInput,
  hints: taskIdHint,
  output: recordOutput,
  annotations: READS,
  run: async (args, call) => taskResult(await readTask(call, taskPath(args))),
};

export const cancelVideo: FreeTool = {
  kind: 'free',
  name: 'cancel_video',
  title: 'Cancel a video',
  description:
    'Stops an unfinished video. The result shows what is still charged: some vendors cannot stop a running task.',
  endpoint: VIDEO_ENDPOINT,
  input: taskIdInput,
  hints: taskIdHint,
  output: recordOutput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },

  async run(args, { gateway }) {
    const response = await gateway.request({ method: 'POST', path: `${taskPath(args)}/cancel`, json: {} });
    return taskResult({ task: await response.json(), facts: response.facts });
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
    status: 'Only tasks in this state.',
    model: 'Only tasks of this model.',
    limit: `Maximum number of tasks, ${VIDEO_LIST_LIMIT.usual} by default.`,
    cursor: 'The next_cursor of the previous page.',
  },
  output: z.looseObject({ data: z.array(listedRecord), next_cursor: z.string().nullish(), gateway: gatewayFacts }),
  annotations: READS,

  async run(args, { gateway }) {
    const query = new URLSearchParams();
    for (const name of ['status', 'model', 'limit', 'cursor']) {
      if (args[name] !== undefined && args[name] !== null) query.set(name, String(args[name]));
    }
    const path = query.size === 0 ? VIDEO_PATH : `${VIDEO_PATH}?${query}`;
    const response = await gateway.request({ method: 'GET', path });
    return dataResult(await response.json<JsonObject>(), response.facts);
  },
};
