import { GatewayError } from '@gateway/contracts';
import { type Database, findAccount } from '@gateway/postgres';
import { Body, Controller, Headers, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { DATABASE } from '../billing-doors.js';
import { Tokens } from '../tokens.service.js';
import { parseReplay } from './parse-replay.js';
import { ReplayMany } from './replay-many.service.js';

/** For an operator who has kept customers from being told. An endpoint that is disabled, only its owner enables. */
@Controller('admin/accounts/:id/webhook-deliveries')
export class AdminWebhookDeliveriesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly tokens: Tokens,
    private readonly replayMany: ReplayMany,
  ) {}

  @Post('replay')
  @HttpCode(202)
  async replay(
    @Headers('authorization') authorization: string | undefined,
    @Param('id') accountId: string,
    @Body() body: unknown,
  ) {
    this.tokens.requireAdmin(authorization);
    const asked = parseReplay(body, new Date());
    if ((await findAccount(this.database, accountId)) === null) {
      throw new GatewayError('not_found', 'There is no such account.');
    }
    return this.replayMany.replay(accountId, asked);
  }
}
