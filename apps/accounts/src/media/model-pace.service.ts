import { type Database, recentReads, usualDurationMs } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';

/** A pace changes over days. */
const FRESH_MS = 60_000;

/** How long tasks of a model usually take. One read a minute for each model, however many people look. */
@Injectable()
export class ModelPace {
  readonly #usualMs: (model: string) => Promise<number | null>;

  constructor(@Inject(DATABASE) database: Database) {
    this.#usualMs = recentReads(FRESH_MS, (model) => usualDurationMs(database, model));
  }

  /** Milliseconds by model. Null: no task of it has succeeded. */
  async of(models: Iterable<string>): Promise<ReadonlyMap<string, number | null>> {
    const paces = [...new Set(models)].map(async (model) => [model, await this.#usualMs(model)] as const);
    return new Map(await Promise.all(paces));
  }
}
