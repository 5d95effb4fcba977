import { GatewayError } from '@gateway/contracts';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions } from '../sessions.service.js';
import { FindReceipt } from './find-receipt.service.js';
import { pendingView } from './pending-view.js';
import { receiptView } from './receipt-view.js';

@Controller('account/requests')
export class ReceiptsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly findReceipt: FindReceipt,
  ) {}

  /** 202 for a request that has not ended. Another account's is not found, nor is one that was refused: it has no receipt. */
  @Get(':requestId')
  async show(
    @Req() request: FastifyRequest,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { account, key } = await this.sessions.askerOf(request);
    const reader = { accountId: account.id, onlyTest: key?.isTest === true };
    const found = await this.findReceipt.find(reader, requestId);
    if (found === null) {
      throw new GatewayError(
        'not_found',
        'There is no receipt of such a request. One that was refused before it was admitted, or that was answered again for its idempotency key, costs nothing and has none.',
      );
    }
    if (found.state === 'settled') return receiptView(found.settlement);
    reply.status(202).header('retry-after', '1');
    return pendingView(found);
  }
}
