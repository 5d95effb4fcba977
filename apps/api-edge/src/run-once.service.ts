import { changeHeaders } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ValidRequest } from './edge-request.js';
import { requestChanges } from './http/request-changes.js';
import { IdempotencyClaims } from './idempotency/idempotency-claims.service.js';
import { readIdempotencyKey } from './idempotency/read-idempotency-key.js';
import { replay } from './idempotency/replay.js';
import { zeroCostHeaders } from './relay/response-headers.js';
import { RunRequest } from './run-request.service.js';

/** Runs a request that costs money. All requests with one idempotency key are run and charged once. */
@Injectable()
export class RunOnce {
  constructor(
    private readonly claims: IdempotencyClaims,
    private readonly runRequest: RunRequest,
  ) {}

  async run(valid: ValidRequest, reply: FastifyReply): Promise<void> {
    // Also for an error and for a replayed response, which have no head of a worker.
    reply.headers(changeHeaders(requestChanges(valid)));
    const key = readIdempotencyKey(reply.request.headers);
    if (key === undefined) return this.runRequest.run(valid, reply);
    const claim = await this.claims.claim(valid, key, (balanceNanoUsd) => {
      reply.headers(zeroCostHeaders(balanceNanoUsd));
    });
    if (claim.isReplay) return replay(claim, reply, valid.buffered);
    const { recording, idempotencyHash } = claim;
    try {
      await this.runRequest.run({ ...valid, recording, idempotencyHash }, reply);
    } catch (error) {
      // The request was not admitted, so its client may retry with the same key at once.
      await recording.release();
      throw error;
    }
  }
}
