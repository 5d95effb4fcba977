import type { AccountEvent } from '@gateway/contracts';
import { type Database, eventsAfter, lastEventId, listSettlements, type SettlementRecord } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';
import type { InboxContents } from './booked-inbox.js';
import type { StreamPlace } from './stream-place.js';

/** Settlements may be booked in another order than they happened. A reader drops what it has seen. */
const OVERLAP_MS = 5_000;
const MAX_ROWS = 200;

/** Whose events are read. A test key sees only those of test keys. */
export interface NewsReader {
  readonly accountId: string;
  readonly onlyTest: boolean;
}

export interface News {
  /** The oldest first. */
  readonly requests: readonly SettlementRecord[];
  readonly events: readonly AccountEvent[];
  /** The reader has missed more than is read here: it should read its lists again. */
  readonly isIncomplete: boolean;
}

/** Reads what has happened in an account since a reader's place. */
@Injectable()
export class ReadNews {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The place of a reader that begins now. */
  async placeOfNow({ accountId }: NewsReader): Promise<StreamPlace> {
    return { settledAtMs: Date.now(), eventId: await lastEventId(this.database, accountId) };
  }

  async since(reader: NewsReader, place: StreamPlace, inbox: InboxContents): Promise<News> {
    const requests = await this.#requests(reader, place, inbox);
    const events = await eventsAfter(this.database, reader.accountId, {
      after: place.eventId,
      limit: MAX_ROWS,
      ...(reader.onlyTest && { isTest: true }),
    });
    return {
      requests,
      events: events ?? [],
      // Null: the reader's last event has been removed.
      isIncomplete: events === null || (inbox.hasGap && requests.length === MAX_ROWS),
    };
  }

  async #requests(
    { accountId, onlyTest }: NewsReader,
    { settledAtMs }: StreamPlace,
    { requestIds, hasGap }: InboxContents,
  ): Promise<readonly SettlementRecord[]> {
    if (!hasGap && requestIds.length === 0) return [];
    const found = hasGap ? { from: new Date(settledAtMs - OVERLAP_MS) } : { requestIds };
    const limit = hasGap ? MAX_ROWS : requestIds.length;
    const newest = await listSettlements(this.database, accountId, { ...found, onlyTest }, { after: null, limit });
    return newest.toReversed();
  }
}
