import { withCapability } from '@gateway/catalogue';
import { parseJsonBody, readImageRequest } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { receivedRequest } from '../../received-request.js';
import { setDialect } from '../../request-context.js';
import { RunOnce } from '../../run-once.service.js';

const ENDPOINT = 'images.generations';

/** POST /v1/images/generations: the body is the one of the model's family. */
@Controller('v1/images/generations')
export class ImagesGenerationsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runOnce: RunOnce,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = receivedRequest(http);
    const { fields: body } = parseJsonBody(http.body);
    const model = withCapability(this.models.resolve(body.model, ENDPOINT, received.caller.key), 'imageGeneration');
    setDialect(http, model.dialect);
    const { worstCase, isStream } = readImageRequest(body, model.id, model.imageGeneration);
    await this.runOnce.run(
      {
        ...received,
        endpoint: ENDPOINT,
        model,
        worstCase,
        isStream,
      },
      reply,
    );
  }
}
