import type { Usd } from '../format/money.js';

export const PERIODS = ['day', 'week', 'month', 'life'] as const;
export const MEASURES = ['usd', 'requests', 'tokens'] as const;

export interface Cap {
  readonly period: (typeof PERIODS)[number];
  readonly measure: (typeof MEASURES)[number];
  readonly limit: string | number;
  readonly hard: boolean;
}

export interface CapUse extends Cap {
  readonly used: string | number;
  readonly resets_at: string | null;
}

/** One key of `GET /account/keys`. Null: no restriction. */
export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  readonly prefix: string;
  readonly test: boolean;
  readonly models: readonly string[] | null;
  readonly endpoints: readonly string[] | null;
  readonly rpm: number | null;
  readonly concurrency: number | null;
  readonly spend_cap_usd: Usd | null;
  readonly spent_usd: Usd;
  readonly caps: readonly CapUse[];
  readonly expires_at: string | null;
  readonly allowed_ips: readonly string[] | null;
  readonly scopes: readonly string[];
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** The answer to a new key: the only one that has the key itself. */
export interface NewKey extends ApiKey {
  readonly key: string;
}
