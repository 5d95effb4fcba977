import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { remove } from '../../api/call.js';
import { type KeyTree, keyTreeQuery } from '../../api/keys.js';
import { Button } from '../../parts/button.jsx';
import { ConfirmButton } from '../../parts/confirm-button.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Section } from '../../parts/page.jsx';
import { Problem } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { mergeTrees } from './merge-trees.js';

function TreeState({ node }: { readonly node: KeyTree }) {
  const { t } = useLingui();
  if (node.state === 'revoked') return <Status meaning="ended">{t`Revoked`}</Status>;
  if (node.state === 'expired') return <Status meaning="ended">{t`Expired`}</Status>;
  return (
    <Status meaning="running">
      {t`Active`}
      {node.expires_at !== null && (
        <>
          , <Trans>ends</Trans> <Time at={node.expires_at} form="relative" />
        </>
      )}
    </Status>
  );
}

interface NodeProps {
  readonly node: KeyTree;
  /** The key of the panel, below which everything is revoked. */
  readonly rootId: string;
}

function TreeNode({ node, rootId }: NodeProps) {
  const { t } = useLingui();
  return (
    <li className="border-l pl-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
        <span title={node.name} className="min-w-24 flex-1 truncate font-medium">
          {node.name}
        </span>
        <TreeState node={node} />
        <span className="figures">
          <Amount usd={node.tree_spent_usd} />
          {node.budget_usd !== null && (
            <span className="text-muted">
              {' / '}
              <Amount usd={node.budget_usd} />
            </span>
          )}
        </span>
        {node.state === 'active' && (
          <ConfirmButton
            label={t`Revoke`}
            title={t`Revoke ${node.name}?`}
            action={t`Revoke the child key`}
            run={() => remove(`/account/keys/${rootId}/children/${node.id}`)}
          >
            <p>
              <Trans>It and the keys below it are refused within five seconds. What it did not spend returns.</Trans>
            </p>
          </ConfirmButton>
        )}
      </div>
      {node.children.length > 0 && <Branch nodes={node.children} rootId={rootId} />}
    </li>
  );
}

const Branch = ({ nodes, rootId }: { readonly nodes: readonly KeyTree[]; readonly rootId: string }) => (
  <ul className="pl-2">
    {nodes.map((node) => (
      <TreeNode key={node.id} node={node} rootId={rootId} />
    ))}
  </ul>
);

/** The keys below a key, also ended ones: what each spent of its budget. */
export function Children({ keyId }: { readonly keyId: string }) {
  const { t } = useLingui();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching, isFetchingNextPage } = useInfiniteQuery(
    keyTreeQuery(keyId),
  );
  const list = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => data?.pages.reduce<KeyTree | undefined>(mergeTrees, undefined), [data]);
  const problem = error !== null && <Problem error={error} onRetry={() => void refetch()} />;
  if (tree === undefined) return problem;
  if (tree.keys_below === 0) return null;
  const showOlder = async (): Promise<void> => {
    const { hasNextPage: hasMore } = await fetchNextPage();
    // The button goes away: without this the focus would leave the panel.
    if (!hasMore) list.current?.focus({ preventScroll: true });
  };
  return (
    <Section
      title={t`Child keys`}
      about={
        <Trans>
          This key and those below it spent <Amount usd={tree.tree_spent_usd} isExact />.
        </Trans>
      }
    >
      <div ref={list} tabIndex={-1} className="outline-none">
        <Branch nodes={tree.children} rootId={keyId} />
      </div>
      {problem}
      {hasNextPage && error === null && (
        // While the pages are read again, a call for the next one would end that.
        <Button isBusy={isFetchingNextPage} disabled={isFetching} onClick={() => void showOlder()}>
          <Trans>Show older keys</Trans>
        </Button>
      )}
    </Section>
  );
}
