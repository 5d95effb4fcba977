import { GatewayError } from '@gateway/contracts';
import { parseUsd } from '@gateway/money';
import { type Database, grantEscrow } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { DATABASE, METRICS } from '../../tokens.js';
import { DeliverGrants } from './deliver-grants.service.js';
import { ReturnIdleEscrow } from './return-idle-escrow.service.js';

export type EscrowDecision =
  | { readonly granted: true; readonly amountNanoUsd: bigint }
  | { readonly granted: false; readonly availableNanoUsd: bigint };

/** The usual block: 5 % of the balance, at most $5. What a lost Redis can cost is bounded by it. */
const BLOCK_LIMIT = parseUsd('5');
const BLOCK_DIVISOR = 20n;
const RETRY_AFTER_MS = 500;

const notReady = () =>
  new GatewayError('service_unavailable', 'Balances are being rebuilt. Try again in a moment.', {
    retryAfterMs: RETRY_AFTER_MS,
  });

/** Gives the edge the next block of a customer's balance; the ledger alone decides. */
@Injectable()
export class GrantEscrow {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    private readonly deliverGrants: DeliverGrants,
    private readonly returnIdleEscrow: ReturnIdleEscrow,
  ) {}

  /** Answers after Redis has the block. What is on its way, there or back, goes first: it may be all there is. */
  async grant(accountId: string, missingNanoUsd: bigint): Promise<EscrowDecision> {
    const [, isAllBack] = await Promise.all([
      this.deliverGrants.deliver(accountId),
      this.returnIdleEscrow.finish(accountId),
    ]);
    if (!isAllBack) throw notReady();
    const request = { accountId, missingNanoUsd, blockLimitNanoUsd: BLOCK_LIMIT, blockDivisor: BLOCK_DIVISOR };
    const decided = await grantEscrow(this.database, request);
    this.metrics.grants.inc({ outcome: decided.outcome });
    switch (decided.outcome) {
      case 'granted': {
        if (!(await this.deliverGrants.deliver(accountId))) throw notReady();
        return { granted: true, amountNanoUsd: decided.amountNanoUsd };
      }
      case 'refused':
        return { granted: false, availableNanoUsd: decided.availableNanoUsd < 0n ? 0n : decided.availableNanoUsd };
      // A return was opened after the look above.
      case 'returning':
        return this.grant(accountId, missingNanoUsd);
      case 'unknown_account':
        throw new GatewayError('not_found', 'There is no such account.');
      case 'no_epoch':
        throw notReady();
    }
  }
}
