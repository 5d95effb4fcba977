import { formatUsd } from '@gateway/money';
import type { KeyTree, KeyTreeNode } from '@gateway/postgres';
import { encodePlace } from '../http/cursor.js';

/** A key of a tree. Amounts in USD; `tree_*` counts the key and everything below it. */
export interface KeyNodeView {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly budget_usd: string | null;
  readonly reserved_usd: string;
  readonly spent_usd: string;
  readonly requests: number;
  readonly tree_spent_usd: string;
  readonly tree_requests: number;
  /** All keys below it, also those that are not among the children of this page. */
  readonly keys_below: number;
  readonly expires_at: string | null;
  /** When what it left over was returned to its parent. */
  readonly closed_at: string | null;
  readonly created_at: string;
  readonly children: readonly KeyNodeView[];
}

export interface KeyTreeView extends KeyNodeView {
  readonly next_cursor: string | null;
}

const stateOf = ({ revokedAt, expiresAt }: KeyTreeNode, nowMs: number): KeyNodeView['state'] => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= nowMs ? 'expired' : 'active';
};

type ByParent = ReadonlyMap<string | null, readonly KeyTreeNode[]>;

const viewOf = (node: KeyTreeNode, byParent: ByParent, nowMs: number): KeyNodeView => ({
  id: node.id,
  name: node.name,
  state: stateOf(node, nowMs),
  budget_usd: node.budgetNanoUsd === null ? null : formatUsd(node.budgetNanoUsd),
  reserved_usd: formatUsd(node.reservedNanoUsd),
  spent_usd: formatUsd(node.costNanoUsd),
  requests: Number(node.requests),
  tree_spent_usd: formatUsd(node.treeCostNanoUsd),
  tree_requests: Number(node.treeRequests),
  keys_below: Number(node.keysBelow),
  expires_at: node.expiresAt?.toISOString() ?? null,
  closed_at: node.closedAt?.toISOString() ?? null,
  created_at: node.createdAt.toISOString(),
  children: (byParent.get(node.id) ?? []).map((child) => viewOf(child, byParent, nowMs)),
});

/** The first node is the root. Undefined: there is no such key. */
export function keyTreeView({ nodes, last }: KeyTree, nowMs: number): KeyTreeView | undefined {
  const [root] = nodes;
  if (root === undefined) return undefined;
  const byParent = Map.groupBy(nodes.slice(1), ({ parentId }) => parentId);
  const next = last === null ? null : encodePlace({ atMs: last.createdAt.getTime(), id: last.id });
  return { ...viewOf(root, byParent, nowMs), next_cursor: next };
}
