import type { Database } from '@gateway/postgres';
import type { RedisConnection } from '@gateway/redis';
import { Controller, Get, Inject, Res, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { DATABASE, REDIS } from '../billing-doors.js';
import { FollowEpoch } from '../rebuild/follow-epoch.service.js';
import { Drain } from './drain.js';

@Controller()
export class HealthController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(REDIS) private readonly redis: RedisConnection,
    private readonly followEpoch: FollowEpoch,
    private readonly drain: Drain,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** Alive: the event loop turns. A restart would bring back no store, so none is asked. */
  @Get('healthz')
  live() {
    return { status: 'ok' };
  }

  /** Ready: both stores answer, the ledger lives in Redis' epoch, and nobody has told us to go. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    try {
      return await this.health.check([
        () => this.#check('postgres', () => this.database.ping()),
        () => this.#check('redis', async () => (await this.redis.ping()) === 'PONG'),
        () => this.#check('epoch', async () => this.followEpoch.isFollowing),
        () => this.#check('accepting', async () => !this.drain.isDraining),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      reply.status(error.getStatus());
      return error.getResponse();
    }
  }

  async #check(name: string, isWell: () => Promise<unknown>) {
    const indicator = this.indicators.check(name);
    try {
      return (await isWell()) === false ? indicator.down() : indicator.up();
    } catch {
      // The reason is in the log of the connection; here it could name an internal address.
      return indicator.down();
    }
  }
}
