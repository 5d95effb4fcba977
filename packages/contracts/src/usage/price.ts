import type { Unit } from './usage.js';

/** Decimal USD per one million of each unit, such as `{ input_token: "3", output_token: "15" }`. */
export type UnitPrices = Readonly<Partial<Record<Unit, string>>>;

/**
 * One dated price of one model. Frozen at admission and carried in the ticket: neither a price change nor a release
 * changes the cost of a running request.
 */
export interface PriceVersion {
  /** `<model>@<date>`, shown on the receipt. */
  readonly version: string;
  readonly perMillion: UnitPrices;
  /** Replaces all of `perMillion` for a prompt longer than `aboveInputTokens`. */
  readonly longPrompt?: { readonly aboveInputTokens: number; readonly perMillion: UnitPrices };
}

/**
 * One account's price of a model, from a moment on. A unit without a price here costs the catalogue's price: no unit is
 * free by omission.
 */
export interface PriceOverride {
  readonly id: string;
  readonly model: string;
  /** Unix milliseconds. */
  readonly fromMs: number;
  /** Null: the catalogue's price again. */
  readonly perMillion: UnitPrices | null;
  /** Replaces the catalogue's prices of long prompts, if the model has them. */
  readonly longPromptPerMillion?: UnitPrices;
}
