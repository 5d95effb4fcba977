import { queryOptions } from '@tanstack/react-query';
import { get } from './call.js';

/** One model of `GET /account/models`: the entry of `/v1/models` with this account's prices. */
export interface Model {
  readonly id: string;
  readonly display_name: string;
  readonly owned_by: string;
  readonly family: string;
  readonly endpoints: readonly string[];
  readonly limits: { readonly context_tokens?: number; readonly max_output_tokens?: number };
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
