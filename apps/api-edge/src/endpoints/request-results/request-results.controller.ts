import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../http/request-context.js';
import { LeftResponses } from '../../idempotency/left-responses.service.js';
import { replay } from '../../idempotency/replay.js';
import { zeroCostHeaders } from '../../relay/response-headers.js';

/** GET /v1/requests/{id}/result: the response of a request whose client left before it was complete. */
@Controller('v1/requests')
export class RequestResultsController {
  constructor(private readonly responses: LeftResponses) {}

  @Get(':id/result')
  async get(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const found = await this.responses.read(callerOf(http).key, id);
    await replay(found, reply.headers(zeroCostHeaders(found.balanceNanoUsd)));
  }
}
