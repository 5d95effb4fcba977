import type { AccountId, RequestId } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';

/** One request that was sent with an idempotency key. Its own id is the token by which it owns the key's record. */
export interface Turn {
  readonly accountId: AccountId;
  /** Test keys have records of their own: what cost nothing must not be replayed as if it had been paid. */
  readonly isTest: boolean;
  /** SHA-256 of the client's key: a client may write anything into it. */
  readonly keySha256: string;
  readonly requestId: RequestId;
}

/** What was asked, to be told from anything else under the same key. */
export interface NewTurn extends Turn {
  readonly fingerprint: string;
}

/** A whole answer as it went out; without `body` it was too large to be kept, or the account has kept too much. */
export interface KeptAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer | undefined;
}

export const recordOf = (keys: RedisKeys, { isTest, accountId, keySha256 }: Turn): string =>
  keys.idempotency(isTest ? 'test' : 'live', accountId, keySha256);
