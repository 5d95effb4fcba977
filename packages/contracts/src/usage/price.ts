import type { Unit } from './usage.js';

/** Decimal USD per one million of each unit, such as `{ input_token: "3", output_token: "15" }`. */
export type UnitPrices = Readonly<Partial<Record<Unit, string>>>;

/**
 * One dated price of one model. It is frozen at admission and travels in the ticket, so that a price changed
 * (or a service updated) while a request runs cannot change what that request costs.
 */
export interface PriceVersion {
  /** `<model>@<date>`, shown on the receipt. */
  readonly version: string;
  readonly perMillion: UnitPrices;
  /** Prices that replace `perMillion` as a whole once the prompt is longer than `aboveInputTokens`. */
  readonly longPrompt?: { readonly aboveInputTokens: number; readonly perMillion: UnitPrices };
}

/**
 * What one account pays for a model from a moment on, in place of the catalogue's price. A unit that it does not name keeps
 * the catalogue's price: nothing is free by omission.
 */
export interface PriceOverride {
  readonly id: string;
  readonly model: string;
  /** Unix milliseconds. */
  readonly fromMs: number;
  /** Null: the catalogue's own price again. */
  readonly perMillion: UnitPrices | null;
  /** In place of the catalogue's prices of long prompts, where the model has them. */
  readonly longPromptPerMillion?: UnitPrices;
}
