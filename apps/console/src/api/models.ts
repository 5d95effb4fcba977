import { queryOptions } from '@tanstack/react-query';
import { get } from './call.js';
import type { Documented } from './documented.js';

/** Every integer of a range, or a list. */
type Integers = readonly number[] | { readonly min: number; readonly max: number };

/** What an image request may choose, in OpenAI's body. */
interface ImageCapability {
  readonly sizes: readonly string[];
  readonly qualities: readonly string[];
  readonly max_images: number;
}

/** What a request may choose, by kind. A kind that the model does not serve is absent. */
export interface Capabilities {
  readonly chat?: {
    /** Beside text: `image`, `audio`, `video`, `file`. */
    readonly inputs: readonly string[];
    readonly efforts: readonly string[];
    readonly thinking: string;
    /** Null: the model ignores the temperature. */
    readonly temperature_max: number | null;
    readonly streams: boolean;
  };
  readonly images?: ImageCapability & { readonly from_text: boolean };
  readonly edits?: ImageCapability & { readonly max_references: number; readonly mask: boolean };
  readonly embeddings?: { readonly default_dimensions: number; readonly dimensions: Integers };
  readonly rerank?: { readonly max_documents: number };
  readonly speech?: {
    readonly default_voice: string;
    readonly formats: readonly string[];
    readonly instructions: boolean;
    readonly max_characters: number;
  };
  /** `input`: `t2v`, `i2v`, `r2v` or `any`. `body`: the form of `input`. */
  readonly video?: { readonly input: string; readonly body: string };
}

/** One model of `GET /account/models`: the entry of `/v1/models` with this account's prices. */
export interface Model {
  readonly id: string;
  readonly display_name: string;
  readonly owned_by: string;
  readonly family: string;
  readonly endpoints: readonly string[];
  readonly limits: {
    readonly context_tokens?: number;
    readonly max_output_tokens?: number;
    readonly resolutions?: readonly string[];
    readonly aspect_ratios?: readonly string[];
    readonly durations?: Integers;
  };
  readonly capabilities: Capabilities;
  readonly pricing: { readonly version: string; readonly per_million: Readonly<Record<string, string>> };
  readonly aliases: readonly string[];
  readonly shutdown_date: string | null;
  readonly successor: string | null;
  readonly served_by?: string;
}

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => get<{ readonly data: readonly Model[] }>('/account/models', {}, signal),
  staleTime: 60_000,
});

/** One model of `GET /account/models/health`: shares from 0 to 1, times in milliseconds. */
export type ModelHealth = Documented['ModelHealth'];

export const healthQuery = queryOptions({
  queryKey: ['model-health'],
  queryFn: ({ signal }) => get<{ readonly data: readonly ModelHealth[] }>('/account/models/health', {}, signal),
  staleTime: 30_000,
  refetchInterval: 60_000,
});

/** The usage of one model in a period, and what it would have cost on another one. */
export type RepricedLine = Documented['RepricedUsage'];

export const repricedQuery = (model: string) =>
  queryOptions({
    queryKey: ['usage', 'repriced', model],
    queryFn: ({ signal }) =>
      get<{ readonly data: readonly RepricedLine[] }>('/account/usage/repriced', { model }, signal),
  });
