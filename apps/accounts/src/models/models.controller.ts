import { Describe } from '@gateway/api-description';
import { asCharged, modelCapabilities, modelEntry, modelsAt } from '@gateway/catalogue';
import type { AccountsConfig } from '@gateway/config';
import { type AccountRecord, type Database, listPriceOverrides } from '@gateway/postgres';
import { Controller, Get, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAccountRead } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { MODELS, type modelPage } from './models.description.js';

/** The models that an account may call, in the form of `GET /v1/models`. */
@Controller('account/models')
export class ModelsController {
  readonly #vendors: ReadonlySet<string>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG)
    private readonly config: Pick<AccountsConfig, 'vendors' | 'catalogueAtMs' | 'chargesInputSeconds'>,
  ) {
    this.#vendors = new Set(config.vendors);
  }

  /** With the account's own prices. A key may be allowed fewer models. */
  @Describe(MODELS.list)
  @AllowAccountRead('viewer')
  @Get()
  async list(@CallerAccount() account: AccountRecord): Promise<z.output<typeof modelPage>> {
    const now = Date.now();
    const overrides = await listPriceOverrides(this.database, account.id);
    const data = modelsAt(this.config.catalogueAtMs ?? now)
      .filter(({ vendor }) => this.#vendors.has(vendor))
      .flatMap((model) => {
        const entry = modelEntry(asCharged(model, this.config), now, overrides);
        return entry === undefined ? [] : [{ ...entry, capabilities: modelCapabilities(model) }];
      });
    return { data, next_cursor: null };
  }
}
