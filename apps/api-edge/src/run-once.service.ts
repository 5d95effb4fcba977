import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AnswerOnce } from './answer-once/answer-once.service.js';
import { readIdempotencyKey } from './answer-once/read-idempotency-key.js';
import { replay } from './answer-once/replay.js';
import type { ValidRequest } from './edge-request.js';
import { nothingCharged } from './relay/answer-headers.js';
import { RunRequest } from './run-request.service.js';

/** A request that costs money: with an idempotency key it is run and charged once, however often it is sent. */
@Injectable()
export class RunOnce {
  constructor(
    private readonly answerOnce: AnswerOnce,
    private readonly runRequest: RunRequest,
  ) {}

  async run(valid: ValidRequest, reply: FastifyReply): Promise<void> {
    const key = readIdempotencyKey(reply.request.headers);
    if (key === undefined) return this.runRequest.run(valid, reply);
    const once = await this.answerOnce.begin(valid, key, (balanceNanoUsd) => {
      reply.headers(nothingCharged(balanceNanoUsd));
    });
    if (once.isAnswered) return replay(once, reply, valid.held);
    const { recording } = once;
    try {
      await this.runRequest.run({ ...valid, recording }, reply);
    } catch (error) {
      // It was not admitted: the same key may be tried again at once.
      await recording.free();
      throw error;
    }
  }
}
