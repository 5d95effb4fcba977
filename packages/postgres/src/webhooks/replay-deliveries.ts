import type { Database } from '../database.js';

/**
 * What may be sent once more. `missed`: an endpoint wanted it and was disabled when it happened. `pending`: attempts have
 * failed, and the next one is made sooner.
 */
export const REPLAYABLE = ['failed', 'cancelled', 'missed', 'pending', 'delivered'] as const;
export type Replayable = (typeof REPLAYABLE)[number];

export interface DeliveryFilter {
  readonly accountId: string;
  /** Null: all of the account. */
  readonly endpointId: string | null;
  readonly states: readonly Replayable[];
  /** When it happened, both ends included. What was delivered after `to` is not sent again. */
  readonly from: Date;
  readonly to: Date;
}

export interface ReplayRate {
  readonly perSecond: number;
  /** Stops when it has changed so many, give or take a page of events. */
  readonly limit: number;
}

export interface ReplayResult {
  /** Deliveries that begin anew, those made for what was missed among them. */
  readonly replayed: number;
  readonly broughtForward: number;
  /** It stopped before the end: who asks the same again goes on. */
  readonly hasMore: boolean;
}

interface Page {
  readonly replayed: number;
  readonly broughtForward: number;
  readonly place: bigint;
  readonly lastAt: Date;
  readonly lastId: bigint;
}

/** So few that their endpoints' reports wait for tens of milliseconds only. */
const EVENTS_AT_ONCE = 500;

/**
 * Sends many deliveries once more, the oldest first and spread over time, each with its event's id. What is pending already is
 * not sent twice, so the same may be asked again, and by several at once.
 */
export async function replayDeliveries(
  { prisma }: Database,
  { accountId, endpointId, states, from, to }: DeliveryFilter,
  { perSecond, limit: most }: ReplayRate,
): Promise<ReplayResult> {
  let [replayed, broughtForward] = [0, 0];
  let at: Pick<Page, 'place' | 'lastAt' | 'lastId'> = { place: 0n, lastAt: from, lastId: 0n };
  while (replayed + broughtForward < most) {
    const [page] = await prisma.$queryRaw<Page[]>`
      SELECT replayed, brought_forward AS "broughtForward", place, last_at AS "lastAt", last_id AS "lastId"
      FROM replay_webhook_deliveries(${accountId}, ${endpointId}::text, ${[...states]}::text[], ${at.lastAt}::timestamptz,
        ${at.lastId}::bigint, ${to}::timestamptz, ${EVENTS_AT_ONCE}::int, ${at.place}::bigint, ${perSecond}::int)`;
    if (page === undefined) return { replayed, broughtForward, hasMore: false };
    replayed += page.replayed;
    broughtForward += page.broughtForward;
    at = page;
  }
  return { replayed, broughtForward, hasMore: true };
}
