import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { parse } from '@gateway/json-service';
import { type AccountRecord, changeRetention, type Database, readAccountStorage } from '@gateway/postgres';
import { Body, Controller, Get, Inject, Patch } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAccountRead, AllowActiveSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { retentionChange, STORAGE, type storageRecord } from './storage.description.js';

/** What an account keeps: files, requests and stored responses share one limit. */
@Controller('account/storage')
export class StorageController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'storage'>,
  ) {}

  @Describe(STORAGE.show)
  @AllowAccountRead('viewer')
  @Get()
  show(@CallerAccount() account: AccountRecord) {
    return this.#view(account.id);
  }

  @Describe(STORAGE.change)
  @AllowActiveSession('owner')
  @Patch()
  async change(@CallerAccount() account: AccountRecord, @Body() body: unknown) {
    const { media_days: mediaRetentionDays, result_hours: resultRetentionHours } = parse(retentionChange, body);
    await changeRetention(this.database, account.id, {
      ...(mediaRetentionDays !== undefined && { mediaRetentionDays }),
      ...(resultRetentionHours !== undefined && { resultRetentionHours }),
    });
    return this.#view(account.id);
  }

  async #view(accountId: string): Promise<z.output<typeof storageRecord>> {
    const { limits, mediaRetentionDays, resultRetentionHours } = this.config.storage;
    const storage = await readAccountStorage(this.database, accountId);
    if (storage === null) throw new Error(`account ${accountId} has no row`);
    const { fileBytes, requestBytes, responseBytes } = storage;
    return {
      object: 'storage',
      used_bytes: fileBytes + requestBytes + responseBytes,
      limit_bytes: limits.bytes,
      files: storage.files,
      limit_files: limits.objects,
      by_kind: { files: fileBytes, requests: requestBytes, responses: responseBytes },
      retention: {
        media_days: storage.mediaRetentionDays ?? mediaRetentionDays,
        result_hours: storage.resultRetentionHours ?? resultRetentionHours,
        is_default: storage.mediaRetentionDays === null && storage.resultRetentionHours === null,
      },
    };
  }
}
