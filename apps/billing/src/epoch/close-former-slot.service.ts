import type { Logger } from '@gateway/observability';
import { type Database, formerEpoch, retireFormerEpoch } from '@gateway/postgres';
import type { RedisConnection, RedisKeys } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, LOGGER, REDIS, REDIS_KEYS } from '../tokens.js';

/**
 * Ends what releases with one slot for all money may spend, before its escrow returns to the customers and moves to the
 * shards. Their edges then admit nothing. It happens once in the life of an installation, and may be repeated.
 */
@Injectable()
export class CloseFormerSlot {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(REDIS_KEYS) private readonly keys: RedisKeys,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async close(): Promise<void> {
    const epoch = await formerEpoch(this.database);
    if (epoch === null || epoch.isRetired) return;
    // Redis first: nothing is admitted there from now on, and such a release cannot begin another epoch.
    await this.redis.del(this.keys.former.epoch);
    await retireFormerEpoch(this.database);
    this.logger.warn({ epoch: epoch.number.toString() }, 'money of the former release moves to shards');
  }
}
