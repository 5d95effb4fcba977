import type { SpanOptions } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';

/**
 * How a span of a task's later life begins. It goes back to the span of the submission and is no part of its trace: that
 * was told when its client was answered, minutes or hours before the task ends.
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
