import { isFinalVideoTask, isGatewayError, type StoredVideoTask } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Listeners } from '../../follow-tasks/listeners.service.js';
import { ReadTasks, recordOf } from '../../follow-tasks/read-tasks.service.js';
import { WaitForTask } from '../../follow-tasks/wait-for-task.service.js';
import { callerOf } from '../../request-context.js';
import { HeldAcceptance } from './held-acceptance.js';

/** Answers a client who waits: with the task once it has ended, else with the task as it is when the time is up. */
@Injectable()
export class AnswerAtEnd {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly waits: WaitForTask,
    private readonly listeners: Listeners,
  ) {}

  /** Nothing that goes wrong here takes the acceptance back: the client is given that, then. */
  async answer(held: HeldAcceptance, waitMs: number, reply: FastifyReply): Promise<void> {
    const { text } = held;
    if (text === undefined) return;
    try {
      const task = await this.#await(HeldAcceptance.taskIdIn(text), waitMs, reply);
      const record = recordOf(task);
      reply
        .code(isFinalVideoTask(task.state) ? 200 : 202)
        // An answer that is given again costs nothing, and says so already.
        .headers(record.cost === null || reply.hasHeader('idempotent-replayed') ? {} : { 'x-cost-usd': record.cost })
        .send(record);
    } catch (error) {
      if (!isGatewayError(error)) throw error;
      reply.code(202).header('content-type', 'application/json; charset=utf-8').send(text);
    }
  }

  #await(id: string, waitMs: number, reply: FastifyReply): Promise<StoredVideoTask> {
    const { key } = callerOf(reply.request);
    return this.listeners.stay(reply, async (signal) => {
      const accepted = await this.tasks.find(key, id);
      const timeIsUp = AbortSignal.timeout(waitMs);
      const hasEnded = ({ state }: StoredVideoTask): boolean => isFinalVideoTask(state);
      return this.waits.until(key, accepted, hasEnded, AbortSignal.any([signal, timeIsUp]));
    });
  }
}
