/** One model as `GET /v1/models` shows it. */
export interface ModelEntry {
  readonly id: string;
  readonly object: 'model';
  /** `type`, `display_name` and `created_at` are for clients of the native messages format. */
  readonly type: 'model';
  readonly display_name: string;
  /** RFC 3339. */
  readonly created_at: string;
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  readonly family: string;
  readonly endpoints: readonly string[];
  readonly limits: {
    readonly context_tokens?: number;
    readonly max_output_tokens?: number;
    /** Video models only: accepted values of `resolution`, `aspect_ratio` and `duration`. */
    readonly resolutions?: readonly string[];
    readonly aspect_ratios?: readonly string[];
    /** Whole seconds: a range, or a list. */
    readonly durations?: { readonly min: number; readonly max: number } | readonly number[];
  };
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
  /** `YYYY-MM-DD` on which the vendor ends the model; null: none is announced. */
  readonly shutdown_date: string | null;
  /** The model that serves this id from that day on, at its own price; null: none. */
  readonly successor: string | null;
  /** Present once another model serves this id: its public id, and the vendor's name of it. */
  readonly served_by?: string;
  readonly upstream_model?: string;
}

export interface ModelList {
  readonly object: 'list';
  readonly data: readonly ModelEntry[];
  /** The list has one page; these fields are for clients that page. */
  readonly has_more: false;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** One model as `GET /v1/models` shows it to clients of the native messages format. */
export interface MessagesModelEntry {
  readonly type: 'model';
  readonly id: string;
  readonly display_name: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly max_input_tokens: number | null;
  readonly max_tokens: number | null;
  /** `deprecated`: it retires within 30 days, or a successor serves it already. The list has no retired models. */
  readonly lifecycle: 'active' | 'deprecated';
  /** RFC 3339: since when clients are warned, and the end. Null: the model is active. */
  readonly deprecated_at: string | null;
  readonly retires_at: string | null;
  /** Such as `opus`. Null: the model belongs to no line of this vendor. */
  readonly line: string | null;
  /** The gateway describes what a model can do in its own list. */
  readonly capabilities: null;
}

/** One page of `GET /v1/models` in the native messages format. */
export interface MessagesModelList {
  readonly data: readonly MessagesModelEntry[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** One model as Google's API shows it. */
export interface GoogleModelEntry {
  /** `models/` and the public id. */
  readonly name: string;
  readonly version: string;
  readonly displayName: string;
  readonly description: string;
  readonly inputTokenLimit?: number;
  readonly outputTokenLimit?: number;
  readonly supportedGenerationMethods: readonly string[];
  readonly thinking?: boolean;
}

/** One page of `GET /v1beta/models`. */
export interface GoogleModelList {
  readonly models: readonly GoogleModelEntry[];
  readonly nextPageToken?: string;
}
