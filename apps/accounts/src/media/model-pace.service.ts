import { type Database, usualDurationMs } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';

/** A pace changes over days. */
const READ_AGAIN_AFTER_MS = 60_000;

interface KnownPace {
  readonly usualMs: Promise<number | null>;
  readonly readAtMs: number;
}

/** How long tasks of a model usually take. One read a minute for each model, however many people look. */
@Injectable()
export class ModelPace {
  readonly #known = new Map<string, KnownPace>();

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Milliseconds by model. Null: no task of it has succeeded. */
  async of(models: Iterable<string>): Promise<ReadonlyMap<string, number | null>> {
    const paces = [...new Set(models)].map(async (model) => [model, await this.#usual(model)] as const);
    return new Map(await Promise.all(paces));
  }

  #usual(model: string): Promise<number | null> {
    const known = this.#known.get(model);
    if (known !== undefined && Date.now() - known.readAtMs < READ_AGAIN_AFTER_MS) return known.usualMs;
    const usualMs = usualDurationMs(this.database, model);
    this.#known.set(model, { usualMs, readAtMs: Date.now() });
    // A failed read is no answer for the next minute.
    usualMs.catch(() => this.#known.delete(model));
    return usualMs;
  }
}
