import { Describe } from '@gateway/api-description';
import { GatewayError, type GoogleModelEntry, type MessagesModelEntry, type ModelEntry } from '@gateway/contracts';
import type { EncodedBody } from '@gateway/serving';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { FundsCheck } from '../../edge-request.js';
import { usesGoogleFormat } from '../../http/google-routes.js';
import { usesMessagesFormat } from '../../http/messages-format.js';
import { callerOf } from '../../http/request-context.js';
import { FUNDS_CHECK } from '../../tokens.js';
import { MODELS } from '../descriptions/models.js';
import { ModelLists } from './model-lists.service.js';
import { sendList } from './send-list.js';

/** OpenAI's name. A service that limits all keys of an account together, such as the MCP server, reads it. */
const ACCOUNT_HEADER = 'openai-organization';
/** Such a service refuses large bodies of an account without money itself, as the edge does. */
const MAY_SPEND_HEADER = 'x-may-spend';

/** GET /v1/models and /v1/models/{id}: the models that the key may use. */
@Controller('v1/models')
export class ModelsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly lists: ModelLists,
    @Inject(FUNDS_CHECK) private readonly funds: FundsCheck,
  ) {}

  @Describe(MODELS.list)
  @Get()
  async list(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { key } = callerOf(http);
    reply.header(ACCOUNT_HEADER, key.accountId);
    if (!(await this.funds.maySpend(key))) reply.header(MAY_SPEND_HEADER, 'false');
    await sendList(this.#list(http, query), http, reply);
  }

  #list(http: FastifyRequest, query: Readonly<Record<string, unknown>>): EncodedBody {
    const { key } = callerOf(http);
    if (usesMessagesFormat(http)) return this.lists.messagesPage(key, query);
    return usesGoogleFormat(http) ? this.lists.googlePage(key, query) : this.lists.list(key);
  }

  /** By public id, alias or built-in name. Throws 404, also for a model that the key may not use. */
  @Describe(MODELS.get)
  @Get(':id')
  get(@Req() http: FastifyRequest, @Param('id') name: string): ModelEntry | MessagesModelEntry | GoogleModelEntry {
    const { key } = callerOf(http);
    if (!usesMessagesFormat(http) && usesGoogleFormat(http)) return this.lists.googleEntry(key, name);
    const id = this.models.idOf(name);
    const entry = usesMessagesFormat(http)
      ? this.#messagesEntry(http, name, id)
      : this.models.visibleTo(key).find((visible) => visible.id === id);
    if (entry === undefined) {
      throw new GatewayError('not_found', this.models.describeMissing(name, key), { param: 'model' });
    }
    return entry;
  }

  /** Under the requested name if the list has it, else under the public id. */
  #messagesEntry(http: FastifyRequest, name: string, id: string | undefined): MessagesModelEntry | undefined {
    const visible = this.models.visibleToMessages(callerOf(http).key);
    return visible.find((entry) => entry.id === name) ?? visible.find((entry) => entry.id === id);
  }
}
