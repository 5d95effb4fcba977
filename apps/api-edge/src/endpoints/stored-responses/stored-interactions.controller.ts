import { Describe } from '@gateway/api-description';
import { STATE_FORMS } from '@gateway/contracts';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestRoom } from '../../edge-request.js';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { callerOf } from '../../http/request-context.js';
import { REQUEST_ROOM } from '../../tokens.js';
import { STORED_INTERACTIONS } from '../descriptions/interactions.js';
import { AttachStream } from '../requests/attach-stream.service.js';
import { BackgroundResponses } from './background-responses.service.js';
import { eventNumberIn } from './event-number.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const FORM = STATE_FORMS.interactions;

type QueryFields = Readonly<Record<string, unknown>>;

/** GET, DELETE and cancel of /v1beta/interactions/{id}. Nothing here is charged. */
@Controller('v1beta/interactions')
export class StoredInteractionsController {
  constructor(
    private readonly background: BackgroundResponses,
    private readonly waits: OpenWaits,
    private readonly stream: AttachStream,
    @Inject(REQUEST_ROOM) private readonly room: RequestRoom,
  ) {}

  @Describe(STORED_INTERACTIONS.get)
  @Get(':id')
  async get(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query() { include_input: includesInput, stream, last_event_id: last }: QueryFields,
  ): Promise<void> {
    const { key } = callerOf(http);
    if (stream === 'true') {
      const found = await this.background.streamOf(key, id, FORM);
      return this.stream.attach(
        found.request,
        reply,
        { sequenceNumber: eventNumberIn(last, 'last_event_id', "the 'event_id' of an event") },
        found.key,
      );
    }
    const interaction =
      includesInput === 'true'
        ? await this.background.readWithInput(key, id, FORM, this.room.of(http, reply))
        : await this.background.read(key, id, FORM, this.room.of(http, reply));
    reply.header('content-type', JSON_TYPE).send(interaction);
  }

  /** An interaction in the background is cancelled too. */
  @Describe(STORED_INTERACTIONS.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string): Promise<object> {
    await this.background.delete(callerOf(http).key, id, FORM);
    return {};
  }

  /** Returns the interaction with the outcome. One that has ended stays as it is. */
  @Describe(STORED_INTERACTIONS.cancel)
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const { key } = callerOf(http);
    const interaction = await this.waits.runOrNow(reply, (signal) =>
      this.background.cancel(key, id, FORM, { signal, takeRoom: this.room.of(http, reply) }),
    );
    reply.code(200).header('content-type', JSON_TYPE).send(interaction);
  }
}
