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
export interface NewIdempotencyClaim extends Turn {
  readonly fingerprint: string;
}

/** The body of an answer that lies elsewhere, under the id of its request. */
export interface SpilledBody {
  readonly bytesApart: number;
}

/** A whole answer as it went out; without `body`, nobody has it any more. */
export interface StoredResponse<Body = Buffer | SpilledBody> {
  readonly status: number;
  readonly contentType: string;
  readonly body: Body;
}

export const recordOf = (keys: RedisKeys, { isTest, accountId, keySha256 }: Turn): string =>
  keys.idempotency(isTest ? 'test' : 'live', accountId, keySha256);
