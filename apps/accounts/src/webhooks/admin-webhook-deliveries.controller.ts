import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { type Database, findAccount } from '@gateway/postgres';
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { DATABASE } from '../tokens.js';
import { parseReplay } from './parse-replay.js';
import { ReplayDeliveries } from './replay-deliveries.service.js';
import { WEBHOOKS } from './webhooks.description.js';

/** Replays deliveries after an outage of ours. Only its owner can enable a disabled endpoint. */
@Controller('admin/accounts/:id/webhook-deliveries')
export class AdminWebhookDeliveriesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly replayDeliveries: ReplayDeliveries,
  ) {}

  @Describe(WEBHOOKS.replayOfAccount)
  @AllowAdmin()
  @Post('replay')
  @HttpCode(202)
  async replay(@Param('id') accountId: string, @Body() body: unknown) {
    const replay = parseReplay(body, new Date());
    if ((await findAccount(this.database, accountId)) === null) {
      throw new GatewayError('not_found', 'There is no such account.');
    }
    return this.replayDeliveries.replay(accountId, replay);
  }
}
