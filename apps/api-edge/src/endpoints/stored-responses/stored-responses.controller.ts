import { Describe } from '@gateway/api-description';
import { itemListQuery, type ResponseItemList, STATE_FORMS } from '@gateway/contracts';
import { checkedQuery } from '@gateway/intake';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestRoom } from '../../edge-request.js';
import { callerOf } from '../../http/request-context.js';
import { StoredResponsesReader } from '../../response-state/stored-responses.service.js';
import { REQUEST_ROOM } from '../../tokens.js';
import { STORED_RESPONSES } from '../descriptions/stored-responses.js';
import { BackgroundResponses } from './background-responses.service.js';
import { eventNumberIn } from './event-number.js';
import { SendStored } from './send-stored.service.js';
import { readSwitches } from './stored-query.js';

const FORM = STATE_FORMS.responses;

type QueryFields = Readonly<Record<string, unknown>>;

/** GET, DELETE and cancel of /v1/responses/{id}, and its input items. Nothing here is charged. */
@Controller('v1/responses')
export class StoredResponsesController {
  constructor(
    private readonly stored: SendStored,
    private readonly background: BackgroundResponses,
    private readonly responses: StoredResponsesReader,
    @Inject(REQUEST_ROOM) private readonly room: RequestRoom,
  ) {}

  @Describe(STORED_RESPONSES.get)
  @Get(':id')
  get(@Res() reply: FastifyReply, @Param('id') id: string, @Query() query: QueryFields): Promise<void> {
    if (!readSwitches(query).stream) return this.stored.send(reply, id, FORM);
    const seen = eventNumberIn(query.starting_after, 'starting_after', 'the sequence number of an event');
    return this.stored.sendEvents(reply, id, FORM, seen);
  }

  /** A response in the background is cancelled too. */
  @Describe(STORED_RESPONSES.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    await this.background.delete(callerOf(http).key, id, FORM);
    return { id, object: 'response', deleted: true };
  }

  @Describe(STORED_RESPONSES.inputItems)
  @Get(':id/input_items')
  inputItems(
    @Req() http: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<ResponseItemList> {
    const { key } = callerOf(http);
    return this.responses.inputItems(key, id, checkedQuery(itemListQuery, query), this.room.of(http, reply));
  }

  /** Returns the response with the outcome. A response that has ended stays as it is. */
  @Describe(STORED_RESPONSES.cancel)
  @Post(':id/cancel')
  @HttpCode(200)
  cancel(@Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    return this.stored.cancel(reply, id, FORM);
  }
}
