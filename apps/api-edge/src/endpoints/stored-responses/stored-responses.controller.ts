import { Describe } from '@gateway/api-description';
import { GatewayError, itemListQuery, type ResponseItemList } from '@gateway/contracts';
import { checked } from '@gateway/intake';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { callerOf } from '../../http/request-context.js';
import { StoredResponsesReader } from '../../response-state/stored-responses.service.js';
import { STORED_RESPONSES } from '../descriptions/stored-responses.js';
import { AttachStream } from '../requests/attach-stream.service.js';
import { BackgroundResponses } from './background-responses.service.js';

const JSON_TYPE = 'application/json; charset=utf-8';
/** The response to a cancellation waits this long for its outcome. The cancellation continues afterwards. */
const CANCEL_WAIT_MS = 10_000;

/** GET, DELETE and cancel of /v1/responses/{id}, and its input items. Nothing here is charged. */
@Controller('v1/responses')
export class StoredResponsesController {
  constructor(
    private readonly responses: StoredResponsesReader,
    private readonly background: BackgroundResponses,
    private readonly waits: OpenWaits,
    private readonly stream: AttachStream,
  ) {}

  @Describe(STORED_RESPONSES.get)
  @Get(':id')
  async get(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query('stream') stream: unknown,
    @Query('starting_after') after: unknown,
  ): Promise<void> {
    const { key } = callerOf(http);
    if (stream === 'true') {
      const found = await this.background.streamOf(key, id);
      return this.stream.attach(found.request, reply, { sequenceNumber: numberIn(after) }, found.key);
    }
    const response = await this.background.read(key, id);
    reply.header('content-type', JSON_TYPE).send(response);
  }

  /** A response in the background is cancelled too. */
  @Describe(STORED_RESPONSES.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    await this.background.delete(callerOf(http).key, id);
    return { id, object: 'response', deleted: true };
  }

  @Describe(STORED_RESPONSES.inputItems)
  @Get(':id/input_items')
  inputItems(@Req() http: FastifyRequest, @Param('id') id: string, @Query() query: unknown): Promise<ResponseItemList> {
    return this.responses.inputItems(callerOf(http).key, id, checked(itemListQuery, query));
  }

  /** Returns the response with the outcome. A response that has ended stays as it is. */
  @Describe(STORED_RESPONSES.cancel)
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const { key } = callerOf(http);
    const response = await this.waits.runOrNow(reply, (signal) =>
      this.background.cancel(key, id, AbortSignal.any([signal, AbortSignal.timeout(CANCEL_WAIT_MS)])),
    );
    reply.code(200).header('content-type', JSON_TYPE).send(response);
  }
}

/** The number of the last event that the client has. */
function numberIn(after: unknown): number {
  if (after === undefined || after === '') return -1;
  if (typeof after === 'string' && /^\d{1,12}$/.test(after)) return Number(after);
  throw new GatewayError('invalid_request', "'starting_after': expected the sequence number of an event.", {
    param: 'starting_after',
  });
}
