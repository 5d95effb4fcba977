import { findModel } from '@gateway/catalogue';
import {
  GatewayError,
  type MessagesModelEntry,
  type MessagesModelList,
  type ModelEntry,
  type ModelList,
} from '@gateway/contracts';
import { describeMissingModel } from '@gateway/intake';
import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { callerOf } from '../../http/request-context.js';
import { messagesModelPage } from './messages-model-page.js';

/** Clients of the native messages format send its version with every request. */
const usesMessagesFormat = (http: FastifyRequest): boolean => http.headers['anthropic-version'] !== undefined;

/** GET /v1/models and /v1/models/{id}: the models that the key may use. */
@Controller('v1/models')
export class ModelsController {
  constructor(private readonly models: ModelAccess) {}

  @Get()
  list(@Req() http: FastifyRequest, @Query() query: Readonly<Record<string, unknown>>): ModelList | MessagesModelList {
    const { key } = callerOf(http);
    if (usesMessagesFormat(http)) return messagesModelPage(this.models.visibleToMessages(key), query);
    const data = this.models.visibleTo(key);
    return {
      object: 'list',
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }

  /** By public id or alias. Throws 404, also for a model that the key may not use. */
  @Get(':id')
  get(@Req() http: FastifyRequest, @Param('id') name: string): ModelEntry | MessagesModelEntry {
    const { key } = callerOf(http);
    const id = findModel(name)?.id;
    const entry = usesMessagesFormat(http)
      ? this.#messagesEntry(http, name, id)
      : this.models.visibleTo(key).find((visible) => visible.id === id);
    if (entry === undefined) {
      throw new GatewayError('not_found', describeMissingModel(name), { param: 'model' });
    }
    return entry;
  }

  /** Under the requested name if the list has it, else under the public id. */
  #messagesEntry(http: FastifyRequest, name: string, id: string | undefined): MessagesModelEntry | undefined {
    const visible = this.models.visibleToMessages(callerOf(http).key);
    return visible.find((entry) => entry.id === name) ?? visible.find((entry) => entry.id === id);
  }
}
