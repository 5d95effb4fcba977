import { type AccountId, GatewayError } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { BILLING_CLIENT } from '../tokens.js';
import type { BillingClient } from './billing-client.js';

const escrowResponse = z.discriminatedUnion('granted', [
  z.object({ granted: z.literal(true), amountNanoUsd: z.string() }),
  z.object({ granted: z.literal(false), availableNanoUsd: z.string() }),
]);

/** Refills an account's spendable balance with blocks from the ledger. */
@Injectable()
export class Escrow {
  readonly #queues = new Map<AccountId, Promise<unknown>>();

  constructor(@Inject(BILLING_CLIENT) private readonly billing: BillingClient) {}

  /** Runs one refill of an account at a time, so that a burst requests only the blocks that it needs. */
  async serialize<Result>(accountId: AccountId, refill: () => Promise<Result>): Promise<Result> {
    const previous = this.#queues.get(accountId) ?? Promise.resolve();
    const current = previous.then(refill, refill);
    this.#queues.set(accountId, current);
    try {
      return await current;
    } finally {
      if (this.#queues.get(accountId) === current) this.#queues.delete(accountId);
    }
  }

  /** True if the ledger granted a block. False is the ledger's refusal, the only reason for a 402. Throws 503. */
  async requestBlock(accountId: AccountId, missingNanoUsd: bigint): Promise<boolean> {
    const body = { accountId, missingNanoUsd: missingNanoUsd.toString() };
    const response = escrowResponse.safeParse(await this.billing.post('/internal/escrow', body));
    if (response.success) return response.data.granted;
    throw new GatewayError('service_unavailable', 'Billing is not available, try again shortly.', {
      retryAfterMs: 1_000,
    });
  }
}
