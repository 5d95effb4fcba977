import { having } from '@gateway/catalogue';
import { parseJsonBody, validateChat, worstCaseOfChat } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { callerOf, requestIdOf, traceparentOf } from '../../request-context.js';
import { RunRequest } from '../../run-request.service.js';

const ENDPOINT = 'chat.completions';

/** POST /v1/chat/completions */
@Controller('v1/chat/completions')
export class ChatCompletionsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runRequest: RunRequest,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(http);
    const body = parseJsonBody(http.body);
    const model = having(this.models.resolve(body.model, ENDPOINT, caller.key), 'chat');
    const chat = validateChat(body, model);
    await this.runRequest.run(
      {
        requestId: requestIdOf(http),
        caller,
        endpoint: ENDPOINT,
        model,
        worstCase: worstCaseOfChat(chat, model),
        body: http.body as Buffer,
        isStream: chat.stream === true,
        wantsCostComment: http.headers['x-include-cost'] === 'true',
        traceparent: traceparentOf(http),
      },
      reply,
    );
  }
}
