import { Describe } from '@gateway/api-description';
import { GatewayError, type RequestId, taskIdOf } from '@gateway/contracts';
import { type Database, listResultOrigins } from '@gateway/postgres';
import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAdmin, AllowSessionOrKey } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller, mayReadAccount } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { FindReceipt, type FoundReceipt } from './find-receipt.service.js';
import { pendingReceiptView } from './pending-receipt-view.js';
import { operatorPart, receiptView } from './receipt-view.js';
import { STATEMENTS } from './statements.description.js';

/** The key of a request that has ended is unknown until its settlement is in the ledger. */
function keyOf(found: FoundReceipt): string | undefined {
  if (found.state === 'settled') return found.settlement.keyId;
  return found.state === 'running' ? found.request.keyId : undefined;
}

function mayRead(caller: AccountCaller, found: FoundReceipt): boolean {
  const keyId = keyOf(found);
  return mayReadAccount(caller) || keyId === undefined || (caller.kind === 'key' && keyId === caller.key.keyId);
}

/** The receipts of requests, for the account that paid and for administrators. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly findReceipt: FindReceipt,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * 202 while the request is running or its settlement is pending. 404 for a refused request, another account's, or another
   * key's if the caller is a key without the scope `account:read`.
   */
  @Describe(STATEMENTS.receipt)
  @AllowSessionOrKey('viewer')
  @Get('account/requests/:requestId')
  async own(
    @AuthenticatedCaller() caller: AccountCaller,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const found = await this.findReceipt.find(
      { accountId: caller.account.id, onlyTest: isTestCaller(caller) },
      requestId,
    );
    return this.#show(found !== null && mayRead(caller, found) ? found : null, reply);
  }

  /** With the vendor's cost, the channels of the attempts, and the vendor's addresses of results. Customers do not see these. */
  @Describe(STATEMENTS.receiptOfAccount)
  @AllowAdmin()
  @Get('admin/accounts/:id/requests/:requestId')
  async ofAccount(
    @Param('id') accountId: string,
    @Param('requestId') requestId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const found = await this.findReceipt.find({ accountId, onlyTest: false }, requestId);
    const shown = this.#show(found, reply);
    if (found?.state !== 'settled') return shown;
    const id = found.settlement.requestId as RequestId;
    const origins = await listResultOrigins(this.database, accountId, [id, taskIdOf(id)]);
    return { ...shown, ...operatorPart(found.settlement, origins) };
  }

  #show(found: FoundReceipt | null, reply: FastifyReply) {
    if (found === null) {
      throw new GatewayError(
        'not_found',
        'There is no receipt for this request id. A request that was refused, or repeated by its idempotency key, costs nothing and has no receipt.',
      );
    }
    if (found.state === 'settled') return receiptView(found.settlement, found.postings);
    reply.status(202).header('retry-after', '1');
    return pendingReceiptView(found);
  }
}
