import type { SpanOptions } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';

/**
 * Starts a new trace that links to the submission's. That one is already exported: its client got a response minutes or
 * hours before the task ends.
 */
export const taskSpan = (
  role: SpanOptions['role'],
  { traceparent, requestId, taskId, model, channelId }: WorkerVideoTask,
): SpanOptions => ({
  role,
  link: traceparent,
  attributes: {
    'gateway.request_id': requestId,
    'gateway.task_id': taskId,
    'gen_ai.request.model': model,
    'gateway.channel': channelId ?? undefined,
  },
});
