import { GatewayError } from '@gateway/contracts';
import type { TaskAccess } from '@gateway/postgres';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAdmin, AllowSessionOrKey } from '../../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller } from '../../guards/caller.js';
import { FindReceipt } from './find-receipt.service.js';
import { pendingReceiptView } from './pending-receipt-view.js';
import { receiptView } from './receipt-view.js';

/** The receipts of requests, for the account that paid and for administrators. */
@Controller()
export class ReceiptsController {
  constructor(private readonly findReceipt: FindReceipt) {}

  /** 202 while the request is running or its settlement is pending. 404 for another account's request, or a refused one. */
  @AllowSessionOrKey()
  @Get('account/requests/:requestId')
  async own(
    @AuthenticatedCaller() caller: AccountCaller,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.#show({ accountId: caller.account.id, onlyTest: isTestCaller(caller) }, requestId, reply);
  }

  @AllowAdmin()
  @Get('admin/accounts/:id/requests/:requestId')
  async ofAccount(
    @Param('id') accountId: string,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.#show({ accountId, onlyTest: false }, requestId, reply);
  }

  async #show(reader: TaskAccess, requestId: string, reply: FastifyReply) {
    const found = await this.findReceipt.find(reader, requestId);
    if (found === null) {
      throw new GatewayError(
        'not_found',
        'There is no receipt for this request id. A request that was refused, or repeated by its idempotency key, costs nothing and has no receipt.',
      );
    }
    if (found.state === 'settled') return receiptView(found.settlement);
    reply.status(202).header('retry-after', '1');
    return pendingReceiptView(found);
  }
}
