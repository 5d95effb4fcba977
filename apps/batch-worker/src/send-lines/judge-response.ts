import { parseUsd } from '@gateway/money';
import type { EdgeResponse } from './edge-client.js';

/** What the edge's response to a line means. */
export type Judgement =
  /** The request has ended, with this response. */
  | { readonly kind: 'ended'; readonly requestId: string; readonly costNanoUsd: bigint }
  /** It runs: read it by its id. */
  | { readonly kind: 'running'; readonly requestId: string }
  /** It has not begun. `isLimited`: the account's limits are reached. */
  | { readonly kind: 'later'; readonly afterMs: number; readonly isLimited: boolean }
  /** Nothing of it will ever run. */
  | { readonly kind: 'refused'; readonly requestId: string }
  /** No line can begin now. */
  | { readonly kind: 'blocked'; readonly by: 'credit' | 'budget' | 'key' };

const DEFAULT_RETRY_MS = 1_000;
const LOCATION = /^\/v1\/requests\/(req_[a-z0-9]{26})$/;

/** A response with a location is that of a request that was admitted; any other one is a refusal of the edge. */
export function judgeResponse({ status, headers, body }: EdgeResponse): Judgement {
  const requestId = headers['x-request-id'] ?? '';
  if (status === 202) return { kind: 'running', requestId: idOf(body) };
  const admitted = admittedIdIn(headers);
  if (admitted !== undefined) {
    return { kind: 'ended', requestId: admitted, costNanoUsd: costIn(headers) };
  }
  // With a time to come again, the edge refuses our credential and not the customer's key.
  if (status === 401 && headers['retry-after'] === undefined) return { kind: 'blocked', by: 'key' };
  if (status === 402) return { kind: 'blocked', by: headers['x-batch-budget'] === 'exceeded' ? 'budget' : 'credit' };
  if (status >= 500 || headers['retry-after'] !== undefined) {
    return { kind: 'later', afterMs: retryAfterMs(headers), isLimited: status === 429 };
  }
  return { kind: 'refused', requestId };
}

/** The request that has this response. Undefined: none was admitted. */
export const admittedIdIn = ({ location = '' }: EdgeResponse['headers']): string | undefined =>
  LOCATION.exec(location)?.[1];

/** What a response says that its request cost. */
export const costIn = (headers: EdgeResponse['headers']): bigint => parseUsd(headers['x-cost-usd'] ?? '0');

/** A vendor that was busy or failed may serve the line later. Its failure cost nothing. */
export const mayRunAgain = (status: number, costNanoUsd: bigint): boolean =>
  costNanoUsd === 0n && (status === 429 || status >= 500);

function retryAfterMs(headers: EdgeResponse['headers']): number {
  const milliseconds = Number(headers['retry-after-ms'] ?? Number(headers['retry-after'] ?? 0) * 1_000);
  return milliseconds > 0 ? milliseconds : DEFAULT_RETRY_MS;
}

function idOf(body: Buffer): string {
  const { id } = JSON.parse(body.toString('utf8')) as { readonly id: string };
  return id;
}
