import { having } from '@gateway/catalogue';
import { parseJsonBody, readImageRequest } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { callerOf, requestIdOf, setDialect, traceparentOf } from '../../request-context.js';
import { RunRequest } from '../../run-request.service.js';

const ENDPOINT = 'images.generations';

/** POST /v1/images/generations: the body is the one of the model's family. */
@Controller('v1/images/generations')
export class ImagesGenerationsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runRequest: RunRequest,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(http);
    const body = parseJsonBody(http.body);
    const model = having(this.models.resolve(body.model, ENDPOINT, caller.key), 'imageGeneration');
    setDialect(http, model.dialect);
    const { worstCase, isStream } = readImageRequest(body, model.id, model.imageGeneration);
    await this.runRequest.run(
      {
        requestId: requestIdOf(http),
        caller,
        endpoint: ENDPOINT,
        model,
        worstCase,
        body: http.body as Buffer,
        isStream,
        wantsCostComment: http.headers['x-include-cost'] === 'true',
        traceparent: traceparentOf(http),
      },
      reply,
    );
  }
}
