import type { IncomingHttpHeaders } from 'node:http';
import { changeHeaders } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { KeepContents } from './contents/keep-contents.service.js';
import type { ValidRequest } from './edge-request.js';
import { type AsyncPreference, readPreference } from './http/read-preference.js';
import { requestChanges } from './http/request-changes.js';
import { IdempotencyClaims } from './idempotency/idempotency-claims.service.js';
import { readIdempotencyKey } from './idempotency/read-idempotency-key.js';
import { type ReplayedResponse, replay } from './idempotency/replay.js';
import { zeroCostHeaders } from './relay/response-headers.js';
import { RunDurable } from './run-durable.service.js';
import { RunRequest } from './run-request.service.js';

const PREFERENCE_APPLIED = 'preference-applied';

/** Runs a request that costs money. All requests with one idempotency key are run and charged once. */
@Injectable()
export class RunOnce {
  constructor(
    private readonly claims: IdempotencyClaims,
    private readonly runRequest: RunRequest,
    private readonly runDurable: RunDurable,
    private readonly contents: KeepContents,
  ) {}

  async run(valid: ValidRequest, reply: FastifyReply): Promise<void> {
    // Also for an error and for a replayed response, which have no head of a worker.
    reply.headers(changeHeaders(requestChanges(valid)));
    const key = readIdempotencyKey(reply.request.headers);
    const preference = preferenceOf(valid, reply.request.headers);
    if (key === undefined) return this.#run(valid, preference, reply);
    const claim = await this.claims.claim(valid, key, (balanceNanoUsd) => {
      reply.headers(zeroCostHeaders(balanceNanoUsd));
    });
    if (claim.isReplay) return this.#replay(valid, preference, claim, reply);
    const { recording, idempotencyHash } = claim;
    try {
      await this.#run({ ...valid, recording, idempotencyHash, idempotencyKey: key }, preference, reply);
    } catch (error) {
      // The request was not admitted, so its client may retry with the same key at once.
      await recording.release();
      throw error;
    }
  }

  /** A video is a task: its endpoint responds later in any case. */
  async #run(valid: ValidRequest, preference: AsyncPreference | undefined, reply: FastifyReply): Promise<void> {
    const observer = this.contents.observe(valid);
    const request = observer === undefined ? valid : { ...valid, observer };
    if (preference === undefined || isTask(valid)) return this.runRequest.run(request, reply);
    await applied(preference, reply, () => this.runDurable.run(request, preference, reply));
    observer?.endAsResult();
  }

  /** The stored response of a kept request is its record: a client that reads or waits gets what the record leads to. */
  async #replay(
    valid: ValidRequest,
    preference: AsyncPreference | undefined,
    stored: ReplayedResponse,
    reply: FastifyReply,
  ): Promise<void> {
    const takeAgain = (later: AsyncPreference) => this.runDurable.takeAgain(valid, later, stored.requestId, reply);
    if (preference !== undefined && !isTask(valid) && (await applied(preference, reply, () => takeAgain(preference))))
      return;
    await replay(stored, reply, valid.buffered);
  }
}

const isTask = ({ endpoint }: ValidRequest): boolean => endpoint === 'videos.generations';

/** A refusal, a video and a stored response apply no preference: `respond` rejects, is not called, or returns false. */
async function applied<Result>(
  preference: AsyncPreference,
  reply: FastifyReply,
  respond: () => Promise<Result>,
): Promise<Result> {
  if (preference.applied !== '') reply.header(PREFERENCE_APPLIED, preference.applied);
  try {
    const result = await respond();
    if (result === false) reply.removeHeader(PREFERENCE_APPLIED);
    return result;
  } catch (error) {
    reply.removeHeader(PREFERENCE_APPLIED);
    throw error;
  }
}

/** A response in the background is taken later without a preference. */
const preferenceOf = (valid: ValidRequest, headers: IncomingHttpHeaders): AsyncPreference | undefined =>
  valid.inBackground === true ? IN_BACKGROUND : readPreference(headers, valid.isStream);

const IN_BACKGROUND: AsyncPreference = { waitMs: 0, isResumable: false, applied: '' };
