/** One model as `GET /v1/models` shows it. */
export interface ModelEntry {
  readonly id: string;
  readonly object: 'model';
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  readonly family: string;
  readonly endpoints: readonly string[];
  readonly limits: { readonly context_tokens?: number; readonly max_output_tokens?: number };
  readonly pricing: {
    readonly currency: 'USD';
    readonly version: string;
    /** Decimal USD per one million of each unit. */
    readonly per_million: Readonly<Record<string, string>>;
    readonly long_prompt?: {
      readonly above_input_tokens: number;
      readonly per_million: Readonly<Record<string, string>>;
    };
  };
  readonly aliases: readonly string[];
}

export interface ModelList {
  readonly object: 'list';
  readonly data: readonly ModelEntry[];
}
