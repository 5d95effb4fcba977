import { GatewayError } from '@gateway/contracts';
import type { TaskAccess } from '@gateway/postgres';
import { Controller, Get, Headers, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Sessions } from '../sessions.service.js';
import { Tokens } from '../tokens.service.js';
import { FindReceipt } from './find-receipt.service.js';
import { pendingView } from './pending-view.js';
import { receiptView } from './receipt-view.js';

/** What a request cost and why: for whoever paid it, and for an administrator who is asked. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
    private readonly findReceipt: FindReceipt,
  ) {}

  /** 202 for a request that has not ended. Another account's is not found, nor is one that was refused: it has no receipt. */
  @Get('account/requests/:requestId')
  async own(
    @Req() request: FastifyRequest,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { account, key } = await this.sessions.askerOf(request);
    return this.#show({ accountId: account.id, onlyTest: key?.isTest === true }, requestId, reply);
  }

  @Get('admin/accounts/:id/requests/:requestId')
  async ofAccount(
    @Headers('authorization') authorization: string | undefined,
    @Param('id') accountId: string,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    this.tokens.requireAdmin(authorization);
    return this.#show({ accountId, onlyTest: false }, requestId, reply);
  }

  async #show(reader: TaskAccess, requestId: string, reply: FastifyReply) {
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
