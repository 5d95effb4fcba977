import { GatewayError } from '@gateway/contracts';
import { type Database, findSettlement } from '@gateway/postgres';
import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DATABASE } from '../billing-doors.js';
import { Sessions } from '../sessions.service.js';
import { receiptView } from './receipt-view.js';

@Controller('account/requests')
export class ReceiptsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /** A request that is still running has none yet, and another account's is not found. */
  @Get(':requestId')
  async show(@Req() request: FastifyRequest, @Param('requestId') requestId: string) {
    const { id } = await this.sessions.readerOf(request);
    const settlement = await findSettlement(this.database, id, requestId);
    if (settlement === null) throw new GatewayError('not_found', 'There is no receipt of such a request.');
    return receiptView(settlement);
  }
}
