import { GatewayError, type SyncTicket } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, LOGGER } from '../tokens.js';

/** Ends streams that have used more than their hold and what their account can still spend. */
@Injectable()
export class LimitSpending {
  /** Requests whose account is being read. */
  readonly #reading = new Set<string>();

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'headroom'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Calls `end` with the client's error if the request may not go on. Reads Redis only beyond the hold. Never rejects. */
  async check(ticket: SyncTicket, costNanoUsd: bigint, end: (error: GatewayError) => void): Promise<void> {
    const { accountId, requestId } = ticket;
    const beyondNanoUsd = costNanoUsd - BigInt(ticket.holdNanoUsd);
    if (beyondNanoUsd <= 0n || ticket.isTest === true || this.#reading.has(requestId)) return;
    this.#reading.add(requestId);
    try {
      const headroomNanoUsd = await this.store.headroom(accountId, requestId);
      if (headroomNanoUsd !== null && beyondNanoUsd > headroomNanoUsd) end(spent());
    } catch (error) {
      this.logger.warn({ err: error, requestId }, 'reading the balance of a running stream failed, will be retried');
    } finally {
      this.#reading.delete(requestId);
    }
  }
}

const spent = (): GatewayError =>
  new GatewayError(
    'insufficient_quota',
    'This response has used more than was held for it and all that your account or the cap of this key can still pay. Add credit, or raise the cap.',
  );
