import { createHash } from 'node:crypto';
import type { AccountId, Endpoint, RequestId } from '@gateway/contracts';
import type { MoneyKeys } from '../keys.js';

/** A request with an idempotency key. Its own id proves that it owns the key's record. */
export interface ClaimOwner {
  readonly accountId: AccountId;
  /** Test keys have separate records: a free response must not be replayed as a paid one. */
  readonly isTest: boolean;
  /** SHA-256 of the client's key, which may contain anything. */
  readonly keySha256: string;
  readonly requestId: RequestId;
}

/** A request, as a customer names it who wants its response. */
export interface ResultOwner {
  readonly accountId: AccountId;
  readonly isTest: boolean;
  readonly requestId: RequestId;
}

/** A record under the request's own id. No client's key contains a line feed, so none can name it. */
export const resultClaimOwner = ({ accountId, isTest, requestId }: ResultOwner): ClaimOwner => ({
  accountId,
  isTest,
  requestId,
  keySha256: createHash('sha256').update(`request\n${requestId}`).digest('hex'),
});

/** What was asked of which model. Keys that may not ask it themselves may not read its response by the request's id. */
export interface ClaimedWork {
  readonly endpoint: Endpoint;
  readonly model: string;
}

export interface NewIdempotencyClaim extends ClaimOwner {
  /** Identifies the requested work: another fingerprint under the same key is a conflict. */
  readonly fingerprint: string;
  readonly work: ClaimedWork;
}

/** A response body that is stored elsewhere, under the id of its request. */
export interface SpilledBody {
  readonly spilledBytes: number;
}

/** A complete response as the client received it. */
export interface StoredResponse<Body = Buffer | SpilledBody> {
  readonly status: number;
  readonly contentType: string;
  /** What the gateway changed in the request, as headers. */
  readonly changes?: Readonly<Record<string, string>>;
  readonly body: Body;
}

export const recordKey = (keys: MoneyKeys, { isTest, accountId, keySha256 }: ClaimOwner): string =>
  keys.idempotency(isTest ? 'test' : 'live', accountId, keySha256);
