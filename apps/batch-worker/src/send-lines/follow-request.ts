import { setTimeout as sleep } from 'node:timers/promises';
import { parseUsd } from '@gateway/money';
import type { EdgeClient, EdgeResponse } from './edge-client.js';

/** The fields of a request's record that say how it ended. */
interface RequestRecord {
  readonly status: string;
  readonly cost: { readonly charged_usd: string | null };
  readonly response: { readonly status: number } | null;
}

/** The end of a request that outlived its connection. `gone`: its result is not kept any more. `key`: the key is refused. */
export type FollowedEnd =
  | { readonly kind: 'ended'; readonly response: EdgeResponse; readonly costNanoUsd: bigint }
  | { readonly kind: 'gone' }
  | { readonly kind: 'key' };

const POLL_MS = 500;

/** Polls a request until it has ended, then reads its result. Rejects only when the signal aborts. */
export async function followRequest(edge: EdgeClient, requestId: string, signal: AbortSignal): Promise<FollowedEnd> {
  for (;;) {
    const end = await readEnd(edge, `/v1/requests/${requestId}`, signal).catch(() => undefined);
    signal.throwIfAborted();
    if (end !== undefined) return end;
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** Undefined: it still runs, or the edge is away. */
async function readEnd(edge: EdgeClient, path: string, signal: AbortSignal): Promise<FollowedEnd | undefined> {
  const found = await edge.get(path, signal);
  if (found.status === 401 && found.headers['retry-after'] === undefined) return { kind: 'key' };
  if (found.status === 404) return { kind: 'gone' };
  if (found.status !== 200) return undefined;
  const record = JSON.parse(found.body.toString('utf8')) as RequestRecord;
  if (record.status === 'queued' || record.status === 'in_progress') return undefined;
  const response = await edge.get(`${path}/result`, signal);
  if (record.response !== null && response.status === 404) return { kind: 'gone' };
  const isItsOwn = record.response === null || response.status === record.response.status;
  return isItsOwn ? { kind: 'ended', response, costNanoUsd: parseUsd(record.cost.charged_usd ?? '0') } : undefined;
}
