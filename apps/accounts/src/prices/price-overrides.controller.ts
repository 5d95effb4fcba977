import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { invalidField, parse } from '@gateway/json-service';
import {
  addPriceOverride,
  type Database,
  findAccount,
  listKeyHashes,
  listPriceOverrides,
  type StoredPriceOverride,
} from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Body, Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { DATABASE } from '../tokens.js';
import { newOverride, PRICES, priceRecord } from './prices.description.js';
import { requirePricedModel } from './require-priced-model.js';

const view = ({
  id,
  model,
  fromMs,
  perMillion: prices,
  ...override
}: StoredPriceOverride): z.output<typeof priceRecord> => ({
  id,
  model,
  from: new Date(fromMs).toISOString(),
  per_million: prices,
  long_prompt_per_million: override.longPromptPerMillion ?? null,
  reason: override.reason,
  created_at: override.createdAt.toISOString(),
});

/** The dated prices of one customer. They are append-only: a receipt refers to its price version for ever. */
@Controller('admin/accounts/:id/prices')
export class PriceOverridesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  @Describe(PRICES.list)
  @AllowAdmin()
  @Get()
  async list(@Param('id') accountId: string) {
    await this.#requireAccount(accountId);
    return { data: (await listPriceOverrides(this.database, accountId)).map(view), next_cursor: null };
  }

  /** The edges drop the account's keys from their caches at once, and with them the old price. */
  @Describe(PRICES.add)
  @AllowAdmin()
  @Post()
  @HttpCode(201)
  async add(@Param('id') accountId: string, @Body() body: unknown) {
    const given = parse(newOverride, body);
    const nowMs = Date.now();
    const fromMs = given.from?.getTime() ?? nowMs;
    if (fromMs < nowMs) throw invalidField('from', 'must not be in the past');
    const { per_million: perMillion, long_prompt_per_million: longPromptPerMillion } = given;
    const model = requirePricedModel(given.model, fromMs, { perMillion, longPromptPerMillion });
    await this.#requireAccount(accountId);
    const added = await addPriceOverride(this.database, {
      accountId,
      model,
      fromMs,
      perMillion,
      ...(longPromptPerMillion !== undefined && { longPromptPerMillion }),
      reason: given.reason,
    });
    await this.keyCacheInvalidator.invalidate(await listKeyHashes(this.database, { accountId }));
    return view(added);
  }

  async #requireAccount(accountId: string): Promise<void> {
    if ((await findAccount(this.database, accountId)) === null) {
      throw new GatewayError('not_found', 'There is no such account.');
    }
  }
}
