import { withCapability } from '@gateway/catalogue';
import { parseJsonBody, validateChat, worstCaseOfChat } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { ValidRequest } from '../../edge-request.js';
import { receivedRequest } from '../../received-request.js';
import { RunOnce } from '../../run-once.service.js';

const ENDPOINT = 'chat.completions';

/** POST /v1/chat/completions */
@Controller('v1/chat/completions')
export class ChatCompletionsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runOnce: RunOnce,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.runOnce.run(this.#valid(http), reply);
  }

  /** What was parsed to find this out ends here: it does not live in memory as long as the answer. */
  #valid(http: FastifyRequest): ValidRequest {
    const received = receivedRequest(http);
    const { fields, bytes } = parseJsonBody(http.body);
    const model = withCapability(this.models.resolve(fields.model, ENDPOINT, received.caller.key), 'chat');
    const chat = validateChat(fields, model);
    return {
      ...received,
      body: bytes,
      endpoint: ENDPOINT,
      model,
      worstCase: worstCaseOfChat(chat, model),
      isStream: chat.stream === true,
    };
  }
}
