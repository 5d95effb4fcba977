import { isFinalVideoTask, isGatewayError, type StoredVideoTask } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { ReadTasks } from '../../follow-tasks/read-tasks.service.js';
import { WaitForTask } from '../../follow-tasks/wait-for-task.service.js';
import { callerOf, originOf } from '../../http/request-context.js';
import { BufferedAcceptance } from './buffered-acceptance.js';

/** Responds to a client that waits for its task: with the finished task, or with its current state after `waitMs`. */
@Injectable()
export class RespondAtEnd {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly waitForTask: WaitForTask,
    private readonly openWaits: OpenWaits,
  ) {}

  /** If the wait fails, the client gets the acceptance: the task is accepted in any case. */
  async respond(acceptance: BufferedAcceptance, waitMs: number, reply: FastifyReply): Promise<void> {
    const { text } = acceptance;
    if (text === undefined) return;
    try {
      const task = await this.#wait(BufferedAcceptance.taskIdIn(text), waitMs, reply);
      const record = this.tasks.record(task, originOf(reply.request));
      // A replayed response costs nothing, and `replay` has set its cost header.
      const isReplayed = reply.hasHeader('idempotent-replayed');
      const hasEnded = isFinalVideoTask(task.state);
      reply
        .code(hasEnded ? 200 : 202)
        .headers(record.cost === null || isReplayed ? {} : { 'x-cost-usd': record.cost })
        .headers(hasEnded ? {} : { 'x-held-usd': formatUsd(task.holdNanoUsd) })
        .send(record);
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      reply.code(202).header('content-type', 'application/json; charset=utf-8').send(text);
    }
  }

  #wait(id: string, waitMs: number, reply: FastifyReply): Promise<StoredVideoTask> {
    const { key } = callerOf(reply.request);
    return this.openWaits.run(reply, async (signal) => {
      const accepted = await this.tasks.find(key, id);
      const timeout = AbortSignal.timeout(waitMs);
      const hasEnded = ({ state }: StoredVideoTask): boolean => isFinalVideoTask(state);
      return this.waitForTask.until(key, accepted, hasEnded, AbortSignal.any([signal, timeout]));
    });
  }
}
