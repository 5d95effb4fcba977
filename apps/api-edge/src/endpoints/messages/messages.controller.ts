import { type ModelWithCapability, speaksMessages, withCapability } from '@gateway/catalogue';
import { NO_USAGE } from '@gateway/contracts';
import { parseJsonBody, validateCountTokens, validateMessages, worstCaseOfMessages } from '@gateway/intake';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { ValidRequest } from '../../edge-request.js';
import { receivedRequest } from '../../received-request.js';
import { callerOf } from '../../request-context.js';
import { RunOnce } from '../../run-once.service.js';
import { RunRequest } from '../../run-request.service.js';
import { forwardedRequest } from './forwarded-request.js';

const ENDPOINT = 'messages';

/** POST /v1/messages and /v1/messages/count_tokens: the native messages format. */
@Controller('v1/messages')
export class MessagesController {
  constructor(
    private readonly models: ModelAccess,
    private readonly runOnce: RunOnce,
    private readonly runRequest: RunRequest,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.runOnce.run(this.#valid(http), reply);
  }

  /** Free, so nothing is held; it takes a lease and a place in the rate like any request, and is settled at zero. */
  @Post('count_tokens')
  async countTokens(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { fields: body, bytes } = parseJsonBody(http.body);
    const model = this.#modelOf(body, http);
    validateCountTokens(body, model);
    await this.runRequest.run(
      {
        ...receivedRequest(http),
        body: bytes,
        forward: forwardedRequest(http),
        endpoint: 'messages.count_tokens',
        model,
        worstCase: NO_USAGE,
        isStream: false,
      },
      reply,
    );
  }

  /** What was parsed to find this out ends here: it does not live in memory as long as the answer. */
  #valid(http: FastifyRequest): ValidRequest {
    const { fields: body, bytes } = parseJsonBody(http.body);
    const model = this.#modelOf(body, http);
    const { isStream, maxTokens } = validateMessages(body, model);
    return {
      ...receivedRequest(http),
      body: bytes,
      forward: forwardedRequest(http),
      endpoint: ENDPOINT,
      model,
      worstCase: worstCaseOfMessages(body, maxTokens, speaksMessages(model)),
      isStream,
    };
  }

  /** Who may ask a model may also count for it. */
  #modelOf(body: Readonly<Record<string, unknown>>, http: FastifyRequest): ModelWithCapability<'chat'> {
    return withCapability(this.models.resolve(body.model, ENDPOINT, callerOf(http).key), 'chat');
  }
}
