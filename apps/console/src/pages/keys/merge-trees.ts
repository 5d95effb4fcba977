import type { KeyTree } from '../../api/keys.js';

/** One tree of two pages of it: both have the keys that lead to theirs. The sums of a key are the same on each page. */
export function mergeTrees(one: KeyTree | undefined, other: KeyTree): KeyTree {
  if (one === undefined) return other;
  const known = new Map(one.children.map((child) => [child.id, child]));
  for (const child of other.children) known.set(child.id, mergeTrees(known.get(child.id), child));
  return { ...one, children: [...known.values()] };
}
