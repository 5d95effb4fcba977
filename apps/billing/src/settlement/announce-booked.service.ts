import type { Logger } from '@gateway/observability';
import { publishBookedRequests, type RedisConnection, type RedisKeys, type UsageEntry } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, REDIS, REDIS_KEYS } from '../tokens.js';

/** Notifies the event streams of accounts of the requests that are in the ledger now. */
@Injectable()
export class AnnounceBooked {
  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(REDIS_KEYS) private readonly keys: RedisKeys,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Best effort, in the background. The next batch must not wait for readers. A task is announced by its own events. */
  announce(entries: readonly UsageEntry[]): void {
    const booked = entries.flatMap(({ event }) => (event.outcome === 'held' ? [] : [event]));
    publishBookedRequests(this.redis, booked, this.keys).catch((error: unknown) => {
      this.logger.debug({ err: error }, 'booked requests not announced');
    });
  }
}
