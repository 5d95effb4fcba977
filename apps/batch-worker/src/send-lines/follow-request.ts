import { setTimeout as sleep } from 'node:timers/promises';
import { parseUsd } from '@gateway/money';
import { type EdgeClient, type EdgeResponse, ResponseTooLarge } from './edge-client.js';

/** The fields of a request's record that say how it ended. */
interface RequestRecord {
  readonly status: string;
  readonly cost: { readonly charged_usd: string | null };
  readonly response: { readonly status: number } | null;
}

/**
 * The end of a request that outlived its connection. `gone`: its result is not kept any more. `too_large`: it does not fit into
 * a batch. `key`: the key is refused.
 */
export type FollowedEnd =
  | { readonly kind: 'ended'; readonly response: EdgeResponse; readonly costNanoUsd: bigint }
  | { readonly kind: 'gone'; readonly costNanoUsd: bigint }
  | { readonly kind: 'too_large'; readonly costNanoUsd: bigint }
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
  if (found.status === 404) return { kind: 'gone', costNanoUsd: 0n };
  if (found.status !== 200) return undefined;
  const record = JSON.parse(found.body.toString('utf8')) as RequestRecord;
  if (record.status === 'queued' || record.status === 'in_progress') return undefined;
  const costNanoUsd = parseUsd(record.cost.charged_usd ?? '0');
  const response = await edge.get(`${path}/result`, signal).catch(unlessTooLarge);
  if (response === undefined) return { kind: 'too_large', costNanoUsd };
  if (record.response !== null && response.status === 404) return { kind: 'gone', costNanoUsd };
  const isItsOwn = record.response === null || response.status === record.response.status;
  return isItsOwn ? { kind: 'ended', response, costNanoUsd } : undefined;
}

/** To read it again would never end. */
function unlessTooLarge(error: unknown): undefined {
  if (!(error instanceof ResponseTooLarge)) throw error;
}
