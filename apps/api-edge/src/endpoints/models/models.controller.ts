import { findModel } from '@gateway/catalogue';
import { GatewayError, type ModelEntry, type ModelList } from '@gateway/contracts';
import { Controller, Get, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { callerOf } from '../../request-context.js';

/** GET /v1/models and /v1/models/{id}: what the calling key may use. */
@Controller('v1/models')
export class ModelsController {
  constructor(private readonly models: ModelAccess) {}

  @Get()
  list(@Req() http: FastifyRequest): ModelList {
    return { object: 'list', data: this.models.visibleTo(callerOf(http).key) };
  }

  /** By public id or alias. A model that the key may not use does not exist for it. */
  @Get(':id')
  get(@Req() http: FastifyRequest, @Param('id') name: string): ModelEntry {
    const id = findModel(name)?.id;
    const entry = this.models.visibleTo(callerOf(http).key).find((visible) => visible.id === id);
    if (entry === undefined) {
      throw new GatewayError('not_found', `The model '${name}' does not exist or you do not have access to it.`, {
        param: 'model',
      });
    }
    return entry;
  }
}
