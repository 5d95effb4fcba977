import type { AccountId } from '@gateway/contracts';
import { GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { BILLING_CLIENT, type BillingClient } from '../billing-client.js';

const answer = z.discriminatedUnion('granted', [
  z.object({ granted: z.literal(true), amountNanoUsd: z.string() }),
  z.object({ granted: z.literal(false), availableNanoUsd: z.string() }),
]);

/**
 * Asks billing for the next block of a customer's balance when spendable is short. One caller at a time for each
 * account: the others wait for it and then look at spendable again, so a burst asks as often as it needs blocks.
 */
@Injectable()
export class Escrow {
  readonly #turns = new Map<AccountId, Promise<unknown>>();

  constructor(@Inject(BILLING_CLIENT) private readonly billing: BillingClient) {}

  /** Runs `attempt` alone among this account's short requests. */
  async inTurn<Result>(accountId: AccountId, attempt: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(accountId) ?? Promise.resolve();
    const mine = before.then(attempt, attempt);
    this.#turns.set(accountId, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(accountId) === mine) this.#turns.delete(accountId);
    }
  }

  /** True if the ledger handed over a block; false is the ledger's no, the only ground for a 402. */
  async nextBlock(accountId: AccountId, missingNanoUsd: bigint): Promise<boolean> {
    const body = { accountId, missingNanoUsd: missingNanoUsd.toString() };
    const reply = answer.safeParse(await this.billing.post('/internal/escrow', body));
    if (!reply.success)
      throw new GatewayError('service_unavailable', 'Billing is not available, try again shortly.', {
        retryAfterMs: 1_000,
      });
    return reply.data.granted;
  }
}
