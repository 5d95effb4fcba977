import { createHash } from 'node:crypto';
import type { AccountId, Endpoint, RequestId, SyncTicket } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { ResponseStore } from '@gateway/postgres';
import {
  type IdempotencyStore,
  MAX_REDIS_BYTES,
  type NewIdempotencyClaim,
  resultClaimOwner,
  SPILL_CHUNK_BYTES,
  SPILL_RETENTION_MS,
  type StoredResponse,
} from '@gateway/redis';

type Completed = StoredResponse<StoredResponse['body'] | undefined>;

/** Stores responses whose client and edge have gone, where an edge finds them for a day. */
export class LeftResponseStore {
  /** Without `responses`, a response that is too long for Redis is not stored. */
  constructor(
    private readonly records: Pick<IdempotencyStore, 'claim' | 'complete'>,
    private readonly responses: Pick<ResponseStore, 'putChunk' | 'delete'> | undefined,
    private readonly logger: Logger,
  ) {}

  /** Never rejects: the request is settled also if its response could not be stored. */
  async store(ticket: SyncTicket, head: Omit<Completed, 'body'>, body: Buffer): Promise<void> {
    const { requestId } = ticket;
    try {
      const claim = claimOf(ticket);
      // A key's record belongs to this request already. A result's may, if its edge still claimed it.
      if (ticket.idempotencyKey === undefined) await this.records.claim(claim);
      const outcome = await this.#complete(claim, head, body);
      if (outcome !== 'kept') this.logger.warn({ requestId, outcome }, 'response without an edge not stored');
    } catch (error) {
      this.logger.warn({ err: error, requestId }, 'storing a response without an edge failed');
    }
  }

  /** In Redis; in PostgreSQL if it is too long or the account's share of Redis is full; else only that it succeeded. */
  async #complete(claim: NewIdempotencyClaim, head: Omit<Completed, 'body'>, body: Buffer): Promise<string> {
    const first = body.length <= MAX_REDIS_BYTES ? await this.records.complete(claim, { ...head, body }) : 'full';
    if (first !== 'full') return first;
    const { requestId } = claim;
    if (this.responses === undefined) return this.records.complete(claim, { ...head, body: undefined });
    await this.#spill(this.responses, requestId, body);
    const spilled = await this.records.complete(claim, { ...head, body: { spilledBytes: body.length } });
    if (spilled !== 'kept') await this.responses.delete(requestId);
    return spilled === 'full' ? this.records.complete(claim, { ...head, body: undefined }) : spilled;
  }

  async #spill(responses: Pick<ResponseStore, 'putChunk'>, requestId: RequestId, body: Buffer): Promise<void> {
    const expiresAt = new Date(Date.now() + SPILL_RETENTION_MS);
    for (let number = 0; number * SPILL_CHUNK_BYTES < body.length; number += 1) {
      const bytes = body.subarray(number * SPILL_CHUNK_BYTES, (number + 1) * SPILL_CHUNK_BYTES);
      await responses.putChunk({ requestId, number, bytes, expiresAt });
    }
  }
}

/** The record of the client's key, which the result's refers to, else the result's own. */
function claimOf(ticket: SyncTicket): NewIdempotencyClaim {
  const { requestId, accountId, isTest, idempotencyKey, endpoint, model } = ticket;
  const work = { endpoint: endpoint as Endpoint, model };
  const owner = resultClaimOwner({
    requestId: requestId as RequestId,
    accountId: accountId as AccountId,
    isTest: isTest === true,
  });
  if (idempotencyKey === undefined) return { ...owner, fingerprint: 'result', work };
  return { ...owner, keySha256: createHash('sha256').update(idempotencyKey).digest('hex'), fingerprint: '', work };
}
