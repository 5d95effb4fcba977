import { GatewayError, UNITS } from '@gateway/contracts';
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
import { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { instant, text } from '../http/fields.js';
import { DATABASE } from '../tokens.js';
import { requirePricedModel } from './require-priced-model.js';

const perMillion = z.partialRecord(
  z.enum(UNITS),
  z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, 'must be a decimal string of USD for a million, such as "2.5"'),
  'must be prices by unit, such as {"output_token": "2.5"}',
);

const newOverride = z.strictObject({
  model: z.string(),
  /** Default: now. A past time is refused, because admitted requests have their price already. */
  from: instant.optional(),
  /** Null: the catalogue's price applies again. */
  per_million: perMillion.nullable(),
  long_prompt_per_million: perMillion.optional(),
  reason: text(500).trim().min(1),
});

const view = ({ id, model, fromMs, perMillion: prices, ...override }: StoredPriceOverride) => ({
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

  @AllowAdmin()
  @Get()
  async list(@Param('id') accountId: string) {
    await this.#requireAccount(accountId);
    return { data: (await listPriceOverrides(this.database, accountId)).map(view), next_cursor: null };
  }

  /** The edges drop the account's keys from their caches at once, and with them the old price. */
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
    await this.keyCacheInvalidator.invalidate(await listKeyHashes(this.database, accountId));
    return view(added);
  }

  async #requireAccount(accountId: string): Promise<void> {
    if ((await findAccount(this.database, accountId)) === null) {
      throw new GatewayError('not_found', 'There is no such account.');
    }
  }
}
