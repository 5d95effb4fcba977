import { GatewayError } from '@gateway/contracts';
import { parseUsd } from '@gateway/money';
import { type Database, grantEscrow } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ReserveMirror } from '../reserve-mirror.service.js';
import { DATABASE, METRICS } from '../tokens.js';
import { DeliverGrants } from './deliver-grants.service.js';
import { ReturnIdleEscrow } from './return-idle-escrow.service.js';

export type EscrowDecision =
  | { readonly granted: true; readonly amountNanoUsd: bigint }
  | { readonly granted: false; readonly availableNanoUsd: bigint };

/** A block is 5 % of the balance, at most $5. It bounds the loss when Redis loses its data. */
const BLOCK_LIMIT = parseUsd('5');
const BLOCK_DIVISOR = 20n;
const RETRY_AFTER_MS = 500;

const notReady = () =>
  new GatewayError('service_unavailable', 'Balances are being rebuilt. Try again in a moment.', {
    retryAfterMs: RETRY_AFTER_MS,
  });

/** Grants an edge the next block of a customer's balance. Only the ledger decides. */
@Injectable()
export class GrantEscrow {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    private readonly deliverGrants: DeliverGrants,
    private readonly returnIdleEscrow: ReturnIdleEscrow,
    private readonly reserveMirror: ReserveMirror,
  ) {}

  /** Resolves after Redis has the block. Finishes open deliveries and returns first: they may contain the missing amount. */
  async grant(accountId: string, missingNanoUsd: bigint): Promise<EscrowDecision> {
    const [, isReturned] = await Promise.all([
      this.deliverGrants.deliver(accountId),
      this.returnIdleEscrow.finish(accountId),
    ]);
    if (!isReturned) throw notReady();
    const request = { accountId, missingNanoUsd, blockLimitNanoUsd: BLOCK_LIMIT, blockDivisor: BLOCK_DIVISOR };
    const decision = await grantEscrow(this.database, request);
    this.metrics.grants.inc({ outcome: decision.outcome });
    switch (decision.outcome) {
      case 'granted': {
        if (!(await this.deliverGrants.deliver(accountId))) throw notReady();
        return { granted: true, amountNanoUsd: decision.amountNanoUsd };
      }
      case 'refused':
        // The 402 names the balance, which Redis does not know of an account that was never credited.
        await this.reserveMirror.refresh(accountId);
        return { granted: false, availableNanoUsd: decision.availableNanoUsd < 0n ? 0n : decision.availableNanoUsd };
      // A return was opened after `finish` above.
      case 'returning':
        return this.grant(accountId, missingNanoUsd);
      case 'unknown_account':
        throw new GatewayError('not_found', 'There is no such account.');
      case 'no_epoch':
        throw notReady();
    }
  }
}
