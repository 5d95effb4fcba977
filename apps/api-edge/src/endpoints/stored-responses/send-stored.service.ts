import type { StateForm } from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { RequestRoom, TakeRoom } from '../../edge-request.js';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { callerOf } from '../../http/request-context.js';
import { REQUEST_ROOM } from '../../tokens.js';
import { AttachStream } from '../requests/attach-stream.service.js';
import { BackgroundResponses } from './background-responses.service.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends stored answers of every format, as they are now. Throws as `BackgroundResponses` does. */
@Injectable()
export class SendStored {
  constructor(
    private readonly background: BackgroundResponses,
    private readonly waits: OpenWaits,
    private readonly stream: AttachStream,
    @Inject(REQUEST_ROOM) private readonly room: RequestRoom,
  ) {}

  async send(reply: FastifyReply, id: string, form: StateForm): Promise<void> {
    sendJson(reply, await this.background.read(keyOf(reply), id, form, this.#roomOf(reply)));
  }

  /** The output begins with the input. */
  async sendWithInput(reply: FastifyReply, id: string, form: StateForm): Promise<void> {
    sendJson(reply, await this.background.readWithInput(keyOf(reply), id, form, this.#roomOf(reply)));
  }

  /** The events after a number; -1: all. */
  async sendEvents(reply: FastifyReply, id: string, form: StateForm, sequenceNumber: number): Promise<void> {
    const { request, key } = await this.background.streamOf(keyOf(reply), id, form);
    return this.stream.attach(request, reply, { sequenceNumber }, key);
  }

  /** Cancels it, and sends it with the outcome. An answer that has ended stays as it is. */
  async cancel(reply: FastifyReply, id: string, form: StateForm): Promise<void> {
    const answer = await this.waits.runOrNow(reply, (signal) =>
      this.background.cancel(keyOf(reply), id, form, { signal, takeRoom: this.#roomOf(reply) }),
    );
    sendJson(reply, answer);
  }

  #roomOf(reply: FastifyReply): TakeRoom {
    return this.room.of(reply.request, reply);
  }
}

const keyOf = ({ request }: FastifyReply) => callerOf(request).key;

function sendJson(reply: FastifyReply, json: string | Buffer): void {
  reply.code(200).header('content-type', JSON_TYPE).send(json);
}
