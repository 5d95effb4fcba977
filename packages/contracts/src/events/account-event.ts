import type { AccountId } from '../ids/ids.js';

/**
 * Everything an account can hear of. `isSentByDefault`: an endpoint without a filter gets it, and so does the address
 * that a task brought with it. The database has the same list (`is_sent_by_default`), because it decides.
 */
export const ACCOUNT_EVENT_TYPES = {
  'video.task.queued': { isSentByDefault: false },
  'video.task.running': { isSentByDefault: false },
  'video.task.succeeded': { isSentByDefault: true },
  'video.task.failed': { isSentByDefault: true },
  'video.task.cancelled': { isSentByDefault: true },
  'video.task.expired': { isSentByDefault: true },
  /** Less is left than the account wants to be told of. */
  'balance.low': { isSentByDefault: true },
  /** Nothing is left, or a request was refused for want of money. */
  'balance.exhausted': { isSentByDefault: true },
  /** A key has spent four fifths of its cap; and all of it. */
  'key.spend_cap.warning': { isSentByDefault: true },
  'key.spend_cap.reached': { isSentByDefault: true },
  /** An endpoint that took nothing any more was disabled; the others are told. */
  'webhook.endpoint.disabled': { isSentByDefault: true },
  /** Asked for by the customer, to see whether an endpoint works. */
  'webhook.test': { isSentByDefault: true },
} as const satisfies Record<string, { readonly isSentByDefault: boolean }>;

export type AccountEventType = keyof typeof ACCOUNT_EVENT_TYPES;

/** Something that an account may want to hear of: a row of its log, a webhook's body, a line of its stream. */
export interface AccountEvent {
  /** `evt_…`: the same on every way on which the event arrives, however often. */
  readonly id: string;
  readonly accountId: AccountId;
  readonly type: AccountEventType;
  /** The id of what it is about. */
  readonly subject: string;
  readonly data: unknown;
  /** Of a test key's doing. */
  readonly isTest: boolean;
  readonly createdAt: Date;
}

/**
 * What is sent to a webhook, byte for byte the same at every attempt: the receiver's signature check and its memory of
 * what it has seen depend on that.
 */
export const renderWebhookBody = (event: Pick<AccountEvent, 'type' | 'createdAt' | 'data'>): string =>
  JSON.stringify({ type: event.type, timestamp: event.createdAt.toISOString(), data: event.data });
