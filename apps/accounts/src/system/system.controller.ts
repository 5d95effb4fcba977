import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { type Logger, withTimeout } from '@gateway/observability';
import { type Database, describeDatabase } from '@gateway/postgres';
import { ChannelBoard, describeRedis, RELEASE, type RedisConnection } from '@gateway/redis';
import { Controller, Get, Inject } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { ACCOUNTS_CONFIG, DATABASE, LOGGER, QUEUE_REDIS, REDIS } from '../tokens.js';
import { SYSTEM, type SystemView } from './system.description.js';
import { postgresView, processView, redisView, settingsOf } from './system-view.js';

/** A store that is slower than this counts as one that does not answer. */
const STORE_TIMEOUT_MS = 3_000;

/** What runs: versions, copies, stores, settings. */
@Controller('admin/system')
export class SystemController {
  constructor(
    @Inject(ACCOUNTS_CONFIG) private readonly config: AccountsConfig,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(QUEUE_REDIS) private readonly queueRedis: RedisConnection,
    private readonly board: ChannelBoard,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Describe(SYSTEM)
  @AllowAdmin()
  @Followable()
  @Get()
  async show(): Promise<SystemView> {
    const [processes, database, redis, queueRedis] = await Promise.all([
      this.#ask('processes', this.board.processes()),
      this.#ask('postgres', describeDatabase(this.database)),
      this.#ask('redis', describeRedis(this.redis)),
      this.#ask('queue-redis', describeRedis(this.queueRedis)),
    ]);
    return {
      release: RELEASE,
      node: process.versions.node,
      checked_at: new Date().toISOString(),
      processes: (processes ?? []).map(processView),
      postgres: database === null ? null : postgresView(database),
      redis: redis === null ? null : redisView(redis),
      queue_redis: queueRedis === null ? null : redisView(queueRedis),
      settings: settingsOf(this.config),
    };
  }

  /** Null: no answer. The page then shows that the store is away. */
  async #ask<Answer>(store: string, asked: Promise<Answer>): Promise<Answer | null> {
    try {
      return await withTimeout(asked, STORE_TIMEOUT_MS, () => null);
    } catch (error) {
      this.logger.warn({ err: error, store }, 'store does not describe itself');
      return null;
    }
  }
}
