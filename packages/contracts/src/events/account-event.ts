import type { AccountId } from '../ids/ids.js';

/**
 * Every event that an account can subscribe to. `isSentByDefault`: also sent to endpoints without a filter, and to a
 * task's own webhook address. The database decides by the same list (`is_sent_by_default`).
 */
export const ACCOUNT_EVENT_TYPES = {
  'video.task.queued': { isSentByDefault: false },
  'video.task.running': { isSentByDefault: false },
  'video.task.succeeded': { isSentByDefault: true },
  'video.task.failed': { isSentByDefault: true },
  'video.task.cancelled': { isSentByDefault: true },
  'video.task.expired': { isSentByDefault: true },
  'request.completed': { isSentByDefault: true },
  'request.failed': { isSentByDefault: true },
  'request.cancelled': { isSentByDefault: true },
  /** A response in the background has ended. */
  'response.completed': { isSentByDefault: true },
  'response.incomplete': { isSentByDefault: true },
  'response.failed': { isSentByDefault: true },
  'response.cancelled': { isSentByDefault: true },
  'batch.completed': { isSentByDefault: true },
  'batch.failed': { isSentByDefault: true },
  'batch.expired': { isSentByDefault: true },
  'batch.cancelled': { isSentByDefault: true },
  /** The balance fell below the account's own threshold. */
  'balance.low': { isSentByDefault: true },
  /** The balance is spent, or a request was rejected for lack of balance. */
  'balance.exhausted': { isSentByDefault: true },
  /** A key has spent 80 % of its cap (`warning`), or all of it (`reached`). */
  'key.spend_cap.warning': { isSentByDefault: true },
  'key.spend_cap.reached': { isSentByDefault: true },
  /** A child key has ended, and what it left over is its parent's again. */
  'key.child.ended': { isSentByDefault: true },
  /** A soft or hard cap of a key or the account is reached in a period. */
  'cap.reached': { isSentByDefault: true },
  /** The second charge of one idempotency key was given back. */
  'charge.refunded': { isSentByDefault: true },
  /** An endpoint that failed too often was disabled. Sent to the account's other endpoints. */
  'webhook.endpoint.disabled': { isSentByDefault: true },
  /** Requested by the customer to test an endpoint. */
  'webhook.test': { isSentByDefault: true },
} as const satisfies Record<string, { readonly isSentByDefault: boolean }>;

export type AccountEventType = keyof typeof ACCOUNT_EVENT_TYPES;

/** One event of an account: a row of its log, a webhook body, a line of its event stream. */
export interface AccountEvent {
  /** `evt_…`: the same in every delivery of the event. */
  readonly id: string;
  readonly accountId: AccountId;
  readonly type: AccountEventType;
  /** The id of the task, request, account, key or endpoint that the event is about. */
  readonly subject: string;
  readonly data: unknown;
  /** True if a test key caused the event. */
  readonly isTest: boolean;
  readonly createdAt: Date;
}

/**
 * The webhook body, byte for byte the same in every attempt: the receiver's signature check and deduplication rely on it.
 * Standard Webhooks has `type`, `timestamp` and `data`. OpenAI's clients read the other fields.
 */
export const renderWebhookBody = (event: Pick<AccountEvent, 'id' | 'type' | 'createdAt' | 'data'>): string =>
  JSON.stringify({
    id: event.id,
    object: 'event',
    created_at: Math.floor(event.createdAt.getTime() / 1_000),
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    data: event.data,
  });
