import type { Database } from '../database.js';

/**
 * Deliveries that may be replayed. `missed`: the endpoint was disabled when the event happened. `pending`: attempts have
 * failed, and the next one comes sooner.
 */
export const REPLAYABLE = ['failed', 'cancelled', 'missed', 'pending', 'delivered'] as const;
export type Replayable = (typeof REPLAYABLE)[number];

export interface DeliveryFilter {
  readonly accountId: string;
  /** Null: all endpoints of the account. */
  readonly endpointId: string | null;
  readonly states: readonly Replayable[];
  /** The period of the events, both ends included. Deliveries that succeeded after `to` are not sent again. */
  readonly from: Date;
  readonly to: Date;
}

export interface ReplayRate {
  readonly perSecond: number;
  /** Stops once it has changed this many deliveries; it may exceed the limit by a page of events. */
  readonly limit: number;
}

export interface ReplayResult {
  /** Deliveries that start again, including those created for missed events. */
  readonly replayed: number;
  readonly broughtForward: number;
  /** True if it stopped at the limit: repeat the call to continue. */
  readonly hasMore: boolean;
}

interface Page {
  readonly replayed: number;
  readonly broughtForward: number;
  readonly place: bigint;
  readonly lastAt: Date;
  readonly lastId: bigint;
}

/** Small, because reports of the same endpoints wait for the page: tens of milliseconds. */
const EVENTS_PER_PAGE = 500;

/**
 * Replays many deliveries, the oldest first and spread over time, each with the id of its event. Pending deliveries are
 * not sent twice, so repeated and concurrent calls are safe.
 */
export async function replayDeliveries(
  { prisma }: Database,
  { accountId, endpointId, states, from, to }: DeliveryFilter,
  { perSecond, limit }: ReplayRate,
): Promise<ReplayResult> {
  let [replayed, broughtForward] = [0, 0];
  let cursor: Pick<Page, 'place' | 'lastAt' | 'lastId'> = { place: 0n, lastAt: from, lastId: 0n };
  while (replayed + broughtForward < limit) {
    const [page] = await prisma.$queryRaw<Page[]>`
      SELECT replayed, brought_forward AS "broughtForward", place, last_at AS "lastAt", last_id AS "lastId"
      FROM replay_webhook_deliveries(${accountId}, ${endpointId}::text, ${[...states]}::text[], ${cursor.lastAt}::timestamptz,
        ${cursor.lastId}::bigint, ${to}::timestamptz, ${EVENTS_PER_PAGE}::int, ${cursor.place}::bigint, ${perSecond}::int)`;
    if (page === undefined) return { replayed, broughtForward, hasMore: false };
    replayed += page.replayed;
    broughtForward += page.broughtForward;
    cursor = page;
  }
  return { replayed, broughtForward, hasMore: true };
}

/** `pending`: the delivery has not ended, so its schedule continues. */
export type ReplayOutcome = 'replayed' | 'pending' | 'unknown' | 'endpoint_disabled' | 'endpoint_deleted';

/** Sends a finished delivery again from the first step of its schedule, with the same event id. */
export async function replayDelivery({ prisma }: Database, accountId: string, id: string): Promise<ReplayOutcome> {
  const [row] = await prisma.$queryRaw<{ outcome: ReplayOutcome }[]>`
    SELECT replay_webhook_delivery(${accountId}, ${id}) AS outcome`;
  if (row === undefined) throw new Error('replay_webhook_delivery() returned no row');
  return row.outcome;
}
