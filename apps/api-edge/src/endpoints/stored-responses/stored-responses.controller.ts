import { GatewayError, itemListQuery, type ResponseItemList } from '@gateway/contracts';
import { describeIssue } from '@gateway/intake';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../http/request-context.js';
import { StoredResponsesReader } from '../../response-state/stored-responses.service.js';

/** GET, DELETE and cancel of /v1/responses/{id}, and its input items. Nothing here is charged. */
@Controller('v1/responses')
export class StoredResponsesController {
  constructor(private readonly responses: StoredResponsesReader) {}

  @Get(':id')
  async get(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query('stream') stream: unknown,
  ): Promise<void> {
    const { response } = await this.responses.find(callerOf(http).key, id);
    if (stream === 'true') {
      throw new GatewayError(
        'invalid_request',
        "'stream': expected false, because only a response in the background can be streamed again.",
        { param: 'stream' },
      );
    }
    reply.header('content-type', 'application/json; charset=utf-8').send(response);
  }

  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    await this.responses.delete(callerOf(http).key, id);
    return { id, object: 'response', deleted: true };
  }

  @Get(':id/input_items')
  inputItems(@Req() http: FastifyRequest, @Param('id') id: string, @Query() query: unknown): Promise<ResponseItemList> {
    const parsed = itemListQuery.safeParse(query);
    if (!parsed.success) throw describeIssue(parsed.error);
    return this.responses.inputItems(callerOf(http).key, id, parsed.data);
  }

  /** Every stored response has ended, because none runs in the background. */
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@Req() http: FastifyRequest, @Param('id') id: string): Promise<never> {
    await this.responses.find(callerOf(http).key, id);
    throw new GatewayError('invalid_request', 'Only a response that runs in the background can be cancelled.');
  }
}
