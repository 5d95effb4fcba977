import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Usd } from '../format/money.js';
import { get } from './call.js';
import type { Documented } from './documented.js';
import { PAGE_SIZE } from './pages.js';

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
  /** Null: the organisation's own. */
  readonly member_id: string | null;
  readonly name: string | null;
  readonly prefix: string;
  readonly test: boolean;
  readonly models: readonly string[] | null;
  readonly endpoints: readonly string[] | null;
  readonly rpm: number | null;
  readonly concurrency: number | null;
  readonly spend_cap_usd: Usd | null;
  readonly spent_usd: Usd;
  /** The budgets of its open children. */
  readonly reserved_usd: Usd;
  /** The key that made it. */
  readonly parent_id: string | null;
  readonly caps: readonly CapUse[];
  readonly expires_at: string | null;
  readonly allowed_ips: readonly string[] | null;
  readonly scopes: readonly string[];
  /** Prompts and answers are kept for a day. */
  readonly keep_contents: boolean;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** The answer to a new key: the only one that has the key itself. */
export interface NewKey extends ApiKey {
  readonly key: string;
  /** In the answer to a rotation: when the former key ends. */
  readonly old_expires_at?: string | null;
}

/** A key with the keys below it; `tree_*` counts all of them. */
export type KeyTree = Documented['KeyTree'];

/** `GET /account/keys/{id}/tree`: a later page has older keys that have ended, below the keys that lead to them. */
interface KeyTreePage extends KeyTree {
  readonly next_cursor: string | null;
}

export const keyTreeQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['key-tree', id],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      get<KeyTreePage>(`/account/keys/${encodeURIComponent(id)}/tree`, { limit: PAGE_SIZE, cursor: pageParam }, signal),
    getNextPageParam: (page) => page.next_cursor,
  });
