import type { KeyTree } from '../../api/keys.js';

/** Keys that can still spend come first, and then the newest: a later page has older keys, which follow. */
function inOrder(one: KeyTree, other: KeyTree): number {
  const isActive = (key: KeyTree): number => (key.state === 'active' ? 1 : 0);
  return isActive(other) - isActive(one) || Date.parse(other.created_at) - Date.parse(one.created_at);
}

/** One tree of two pages of it: both have the keys that lead to theirs. The sums of a key are the same on each page. */
export function mergeTrees(one: KeyTree | undefined, other: KeyTree): KeyTree {
  const known = new Map(one?.children.map((child) => [child.id, child]));
  for (const child of other.children) known.set(child.id, mergeTrees(known.get(child.id), child));
  return { ...(one ?? other), children: [...known.values()].sort(inOrder) };
}
