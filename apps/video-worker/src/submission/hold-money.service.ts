import { GatewayError, type SyncTicket } from '@gateway/contracts';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { SETTLER } from '../tokens.js';
import { settlementOf } from './new-task.js';

/** The client waits at most this long for Redis. The settler retries until it succeeds. */
const SETTLEMENT_WAIT_MS = 5_000;

/** Moves the hold of a request from Redis to the ledger, which holds it until the task ends. */
@Injectable()
export class HoldMoney {
  constructor(@Inject(SETTLER) private readonly settler: Settler) {}

  /**
   * Returns the customer's remaining balance in nano-USD. Throws if the request has already been settled, or if Redis does not
   * respond: the caller must not submit then. A hold that Redis moves later is released when billing books it.
   */
  async transfer(ticket: SyncTicket): Promise<bigint> {
    const settled = await this.settler.settle(settlementOf(ticket, 'held'), SETTLEMENT_WAIT_MS);
    if (settled === undefined) {
      throw new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
        retryAfterMs: 1_000,
      });
    }
    if (settled.outcome !== 'held') throw new GatewayError('client_closed_request', 'The request was cancelled.');
    return settled.balanceNanoUsd;
  }

  /** Settles the request at no cost: it ends without a task. */
  release(ticket: SyncTicket, errorCode?: string): void {
    const outcome = errorCode === 'client_closed_request' ? 'aborted' : 'failed';
    this.settler.settleInBackground(settlementOf(ticket, outcome, errorCode));
  }
}
