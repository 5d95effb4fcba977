import { Describe } from '@gateway/api-description';
import { STATE_FORMS } from '@gateway/contracts';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../http/request-context.js';
import { STORED_INTERACTIONS } from '../descriptions/interactions.js';
import { BackgroundResponses } from './background-responses.service.js';
import { eventNumberIn } from './event-number.js';
import { SendStored } from './send-stored.service.js';
import { readSwitches } from './stored-query.js';

const FORM = STATE_FORMS.interactions;

type QueryFields = Readonly<Record<string, unknown>>;

/** GET, DELETE and cancel of /v1beta/interactions/{id}. Nothing here is charged. */
@Controller('v1beta/interactions')
export class StoredInteractionsController {
  constructor(
    private readonly stored: SendStored,
    private readonly background: BackgroundResponses,
  ) {}

  @Describe(STORED_INTERACTIONS.get)
  @Get(':id')
  get(@Res() reply: FastifyReply, @Param('id') id: string, @Query() query: QueryFields): Promise<void> {
    const { stream, include_input: includesInput } = readSwitches(query);
    if (stream) {
      const seen = eventNumberIn(query.last_event_id, 'last_event_id', "the 'event_id' of an event");
      return this.stored.sendEvents(reply, id, FORM, seen);
    }
    return includesInput ? this.stored.sendWithInput(reply, id, FORM) : this.stored.send(reply, id, FORM);
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
  cancel(@Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    return this.stored.cancel(reply, id, FORM);
  }
}
