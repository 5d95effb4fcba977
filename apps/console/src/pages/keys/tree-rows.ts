import type { ApiKey } from '../../api/keys.js';
import { nanoUsd, type Usd, usdOfNano } from '../../format/money.js';

export interface TreeRow {
  readonly apiKey: ApiKey;
  /** 0: a person made it, or its parent is not among the keys that the person manages. */
  readonly depth: number;
}

/** Each key before the keys that it made, otherwise in the given order. */
export function treeRows(keys: readonly ApiKey[]): readonly TreeRow[] {
  const known = new Set(keys.map(({ id }) => id));
  const parentOf = ({ parent_id: parent }: ApiKey) => (parent !== null && known.has(parent) ? parent : null);
  const byParent = Map.groupBy(keys, parentOf);
  const below = (parent: string | null, depth: number): TreeRow[] =>
    (byParent.get(parent) ?? []).flatMap((apiKey) => [{ apiKey, depth }, ...below(apiKey.id, depth + 1)]);
  return below(null, 0);
}

/** A key whose time is over spends nothing: what was left of its budget is its parent's again. */
export const hasEnded = ({ expires_at: end }: Pick<ApiKey, 'expires_at'>, nowMs: number): boolean =>
  end !== null && Date.parse(end) <= nowMs;

/** What the key may still spend in all: its budget less what it spent and what its children have of it. Null: no budget. */
export function leftOf(key: Pick<ApiKey, 'spend_cap_usd' | 'spent_usd' | 'reserved_usd'>): Usd | null {
  if (key.spend_cap_usd === null) return null;
  const left = nanoUsd(key.spend_cap_usd) - nanoUsd(key.spent_usd) - nanoUsd(key.reserved_usd);
  return usdOfNano(left < 0n ? 0n : left);
}
