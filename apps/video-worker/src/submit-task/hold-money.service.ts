import { GatewayError, type SyncTicket } from '@gateway/contracts';
import type { Settler } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { SETTLER } from '../doors.js';
import { settlementOf } from './new-task.js';

/** The client waits at most this long for Redis; the settlement itself is made until it is made. */
const WAIT_MS = 5_000;

/** Moves the hold of a request out of Redis: from here on the ledger keeps it for the task. */
@Injectable()
export class HoldMoney {
  constructor(@Inject(SETTLER) private readonly settler: Settler) {}

  /**
   * Gives what the customer has left. Throws if the request has ended otherwise, or Redis does not say: the upstream
   * must not be asked then. A hold that is taken all the same goes back to the customer when it is booked.
   */
  async take(ticket: SyncTicket): Promise<bigint> {
    const settled = await this.settler.settle(settlementOf(ticket, 'held'), WAIT_MS);
    if (settled === undefined) {
      throw new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
        retryAfterMs: 1_000,
      });
    }
    if (settled.outcome !== 'held') throw new GatewayError('client_closed_request', 'The request was given up.');
    return settled.balanceNanoUsd;
  }

  /** The request ends without a task. */
  giveBack(ticket: SyncTicket, errorCode?: string): void {
    const outcome = errorCode === 'client_closed_request' ? 'aborted' : 'failed';
    this.settler.settleInBackground(settlementOf(ticket, outcome, errorCode));
  }
}
