import { having, type ModelWith, speaksMessages } from '@gateway/catalogue';
import { NO_USAGE } from '@gateway/contracts';
import { parseJsonBody, validateCountTokens, validateMessages, worstCaseOfMessages } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { ValidRequest } from '../../edge-request.js';
import { callerOf, requestIdOf, traceparentOf } from '../../request-context.js';
import { RunRequest } from '../../run-request.service.js';
import { forwardedRequest } from './forwarded-request.js';

const ENDPOINT = 'messages';

/** POST /v1/messages and /v1/messages/count_tokens: the native messages format. */
@Controller('v1/messages')
export class MessagesController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runRequest: RunRequest,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = parseJsonBody(http.body);
    const model = this.#modelOf(body, http);
    const { isStream, maxTokens } = validateMessages(body, model);
    await this.runRequest.run(
      {
        ...common(http),
        endpoint: ENDPOINT,
        model,
        worstCase: worstCaseOfMessages(body, maxTokens, speaksMessages(model)),
        isStream,
        wantsCostComment: http.headers['x-include-cost'] === 'true',
      },
      reply,
    );
  }

  /** Free, so nothing is held; it takes a lease and a place in the rate like any request, and is settled at zero. */
  @Post('count_tokens')
  async countTokens(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = parseJsonBody(http.body);
    const model = this.#modelOf(body, http);
    validateCountTokens(body, model);
    await this.runRequest.run(
      {
        ...common(http),
        endpoint: 'messages.count_tokens',
        model,
        worstCase: NO_USAGE,
        isStream: false,
        wantsCostComment: false,
      },
      reply,
    );
  }

  /** Who may ask a model may also count for it. */
  #modelOf(body: Readonly<Record<string, unknown>>, http: FastifyRequest): ModelWith<'chat'> {
    return having(this.models.resolve(body.model, ENDPOINT, callerOf(http).key), 'chat');
  }
}

type Common = Pick<ValidRequest, 'requestId' | 'caller' | 'body' | 'forward' | 'traceparent'>;

const common = (http: FastifyRequest): Common => ({
  requestId: requestIdOf(http),
  caller: callerOf(http),
  body: http.body as Buffer,
  forward: forwardedRequest(http),
  traceparent: traceparentOf(http),
});
