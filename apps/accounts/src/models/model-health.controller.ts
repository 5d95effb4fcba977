import { Describe } from '@gateway/api-description';
import {
  type AccountRecord,
  type Database,
  type ModelOutcomes,
  modelLatencies,
  modelOutcomes,
  recentReads,
} from '@gateway/postgres';
import { Controller, Get, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAccountRead } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { type healthRecord, MODELS } from './models.description.js';

const WINDOW_MS = 24 * 3_600_000;
const MAX_RECEIPTS = 1_000;
/** Fewer requests say nothing about a model, and something about who made them. */
const LEAST_REQUESTS = 20;
const FRESH_MS = 60_000;

type Health = z.output<typeof healthRecord>;

/** How well models answer, as measured here. */
@Controller('account/models/health')
export class ModelHealthController {
  /** The same for all accounts, so one read a minute serves everybody. */
  readonly #outcomes: () => Promise<readonly ModelOutcomes[]>;

  constructor(@Inject(DATABASE) private readonly database: Database) {
    this.#outcomes = recentReads(FRESH_MS, () => modelOutcomes(database, new Date(Date.now() - WINDOW_MS)));
  }

  /** The last 24 hours: the share of failed requests of all accounts, and speed and failures of the account's own latest ones. */
  @Describe(MODELS.health)
  @AllowAccountRead('viewer')
  @Get()
  async show(@CallerAccount() account: AccountRecord) {
    const since = new Date(Date.now() - WINDOW_MS);
    const [everyone, own] = await Promise.all([
      this.#outcomes(),
      modelLatencies(this.database, account.id, { since, limit: MAX_RECEIPTS }),
    ]);
    const data = new Map<string, Health>();
    for (const { model, requests, failed } of everyone) {
      if (requests >= LEAST_REQUESTS) data.set(model, { model, error_rate: failed / requests, own: null });
    }
    for (const { model, requests, failed, firstByteMs } of own) {
      const { error_rate } = data.get(model) ?? { error_rate: null };
      const speed = firstByteMs && {
        median: Math.round(firstByteMs.median),
        slow_tenth: Math.round(firstByteMs.slowTenth),
      };
      data.set(model, { model, error_rate, own: { requests, error_rate: failed / requests, first_byte_ms: speed } });
    }
    return { data: [...data.values()], next_cursor: null };
  }
}
