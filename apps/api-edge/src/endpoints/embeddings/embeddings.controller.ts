import { withCapability } from '@gateway/catalogue';
import { parseJsonBody, validateEmbeddings, worstCaseOfEmbeddings } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { receivedRequest } from '../../received-request.js';
import { setDialect } from '../../request-context.js';
import { RunOnce } from '../../run-once.service.js';

const ENDPOINT = 'embeddings';

/** POST /v1/embeddings */
@Controller('v1/embeddings')
export class EmbeddingsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runOnce: RunOnce,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = receivedRequest(http);
    const { fields: body } = parseJsonBody(http.body);
    const model = withCapability(this.models.resolve(body.model, ENDPOINT, received.caller.key), 'embeddings');
    setDialect(http, model.dialect);
    const request = validateEmbeddings(body, model);
    await this.runOnce.run(
      {
        ...received,
        endpoint: ENDPOINT,
        model,
        worstCase: worstCaseOfEmbeddings(request),
        isStream: false,
      },
      reply,
    );
  }
}
