/** What an endpoint may choose, by what it is about. A test event reaches it in any case. */
export const EVENT_GROUPS = {
  videos: [
    'video.task.queued',
    'video.task.running',
    'video.task.succeeded',
    'video.task.failed',
    'video.task.cancelled',
    'video.task.expired',
  ],
  requests: ['request.completed', 'request.failed', 'request.cancelled'],
  responses: ['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'],
  batches: ['batch.completed', 'batch.failed', 'batch.expired', 'batch.cancelled'],
  money: [
    'balance.low',
    'balance.exhausted',
    'cap.reached',
    'charge.refunded',
    'key.spend_cap.warning',
    'key.spend_cap.reached',
    'key.child.ended',
  ],
  webhooks: ['webhook.endpoint.disabled'],
} as const satisfies Record<string, readonly string[]>;

export type EventGroup = keyof typeof EVENT_GROUPS;
