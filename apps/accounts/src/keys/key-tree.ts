import { formatUsd } from '@gateway/money';
import type { KeyTreeNode } from '@gateway/postgres';

/** A key of a tree. Amounts in USD; `tree_*` counts the key and everything below it. */
export interface KeyTreeView {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly budget_usd: string | null;
  readonly reserved_usd: string;
  readonly spent_usd: string;
  readonly requests: number;
  readonly tree_spent_usd: string;
  readonly tree_requests: number;
  readonly expires_at: string | null;
  /** When what it left over was returned to its parent. */
  readonly closed_at: string | null;
  readonly created_at: string;
  readonly children: readonly KeyTreeView[];
}

interface Sums {
  readonly view: KeyTreeView;
  readonly costNanoUsd: bigint;
}

const stateOf = ({ revokedAt, expiresAt }: KeyTreeNode, nowMs: number): KeyTreeView['state'] => {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt.getTime() <= nowMs ? 'expired' : 'active';
};

function sumOf(node: KeyTreeNode, byParent: ReadonlyMap<string | null, readonly KeyTreeNode[]>, nowMs: number): Sums {
  const below = (byParent.get(node.id) ?? []).map((child) => sumOf(child, byParent, nowMs));
  const costNanoUsd = below.reduce((sum, child) => sum + child.costNanoUsd, node.costNanoUsd);
  const requests = Number(node.requests);
  const view: KeyTreeView = {
    id: node.id,
    name: node.name,
    state: stateOf(node, nowMs),
    budget_usd: node.budgetNanoUsd === null ? null : formatUsd(node.budgetNanoUsd),
    reserved_usd: formatUsd(node.reservedNanoUsd),
    spent_usd: formatUsd(node.costNanoUsd),
    requests,
    tree_spent_usd: formatUsd(costNanoUsd),
    tree_requests: below.reduce((sum, child) => sum + child.view.tree_requests, requests),
    expires_at: node.expiresAt?.toISOString() ?? null,
    closed_at: node.closedAt?.toISOString() ?? null,
    created_at: node.createdAt.toISOString(),
    children: below.map(({ view: child }) => child),
  };
  return { view, costNanoUsd };
}

/** The first node is the root. Undefined: there is no such key. */
export function keyTreeView(nodes: readonly KeyTreeNode[], nowMs: number): KeyTreeView | undefined {
  const [root] = nodes;
  if (root === undefined) return undefined;
  return sumOf(
    root,
    Map.groupBy(nodes.slice(1), ({ parentId }) => parentId),
    nowMs,
  ).view;
}
