import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CornerDownRight, Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { ApiKey } from '../../api/keys.js';
import { useRows } from '../../api/pages.js';
import { useMay } from '../../api/session.js';
import { Button } from '../../parts/button.jsx';
import { shareOf } from '../../parts/cap-lines.jsx';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { TextFilter } from '../../parts/filters.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { Tag } from '../../parts/status.jsx';
import { useOpenRow } from '../../parts/use-open-row.js';
import { KeyPanel } from './key-panel.jsx';
import { NewKeyDialog } from './new-key-dialog.jsx';
import { hasEnded, leftOf, type TreeRow, treeRows } from './tree-rows.js';

const STEP_REM = 1.25;

/** A child key stands further right than the key that made it. */
const NameCell = ({ row: { apiKey, depth } }: { readonly row: TreeRow }) => {
  const { t } = useLingui();
  return (
    <span className="flex items-center gap-2" style={{ paddingLeft: `${depth * STEP_REM}rem` }}>
      {depth > 0 && <CornerDownRight aria-label={t`child of the key above`} className="size-3.5 shrink-0 text-muted" />}
      <span className="truncate font-medium">{apiKey.name ?? apiKey.id}</span>
      {apiKey.test && <Tag>{t`test`}</Tag>}
    </span>
  );
};

/** What is left of the budget, or of the nearest cap. */
const RoomCell = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { t } = useLingui();
  const left = leftOf(apiKey);
  const nearest = Math.max(...apiKey.caps.map(shareOf));
  if (hasEnded(apiKey, Date.now())) return '—';
  if (left !== null) return <Amount usd={left} />;
  return apiKey.caps.length === 0 ? '—' : t`${Math.max(0, 100 - Math.floor(nearest * 100))}% of a cap`;
};

function useColumns(): readonly Column<TreeRow>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t`Name`,
        width: 'minmax(9rem,2fr)',
        narrowWidth: '1fr',
        cell: (row) => <NameCell row={row} />,
      },
      {
        id: 'prefix',
        title: t`Key`,
        width: '10.5rem',
        isExtra: true,
        cell: (row) => <code className="font-mono text-muted">{row.apiKey.prefix}</code>,
      },
      {
        id: 'used',
        title: t`Last used`,
        width: '9rem',
        isExtra: true,
        cell: (row) =>
          row.apiKey.last_used_at === null ? t`never` : <Time at={row.apiKey.last_used_at} form="relative" />,
      },
      {
        id: 'ends',
        title: t`Ends`,
        width: '7.5rem',
        isExtra: true,
        cell: (row) =>
          row.apiKey.expires_at === null ? t`never` : <Time at={row.apiKey.expires_at} form="relative" />,
      },
      {
        id: 'left',
        title: t`Left`,
        width: '8rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => <RoomCell apiKey={row.apiKey} />,
      },
      {
        id: 'spent',
        // It counts holds of running videos, as caps do. The overview shows charges alone.
        title: t`Spent and held`,
        width: '8rem',
        narrowWidth: '9rem',
        isNumber: true,
        cell: (row) => <Amount usd={row.apiKey.spent_usd} />,
      },
    ],
    [t],
  );
}

interface KeysSearch {
  readonly open?: string | undefined;
  readonly make?: string | undefined;
  /** A part of the name. */
  readonly q?: string | undefined;
}

const isNamed = ({ name, id, prefix }: ApiKey, part: string): boolean =>
  `${name} ${id} ${prefix}`.toLowerCase().includes(part.toLowerCase());

interface ListProps {
  readonly keys: readonly ApiKey[];
  readonly search: KeysSearch;
  readonly onOpen: (id: string) => void;
}

function KeyList({ keys, search, onOpen }: ListProps) {
  const { t } = useLingui();
  const columns = useColumns();
  const part = search.q ?? '';
  const rows = useMemo(() => treeRows(keys.filter((key) => isNamed(key, part))), [keys, part]);
  if (keys.length === 0)
    return <Empty title={t`No keys yet`} next={<Trans>Make one, and put it into your program.</Trans>} />;
  if (rows.length === 0) return <Empty title={t`No key matches`} next={<Trans>Change the search.</Trans>} />;
  return (
    <DataTable
      label={t`Keys`}
      name="keys"
      columns={columns}
      rows={rows}
      rowId={(row) => row.apiKey.id}
      onOpen={(row) => onOpen(row.apiKey.id)}
      openId={search.open}
    />
  );
}

/** The keys of the account, each above those that it made. The address holds which one is open. */
export function KeysPage() {
  const { t } = useLingui();
  const search = useSearch({ strict: false }) as KeysSearch;
  const navigate = useNavigate();
  const isOwner = useMay('owner');
  const { rows: keys, error, retry } = useRows<ApiKey>('/account/keys', { limit: undefined });
  const opened = useOpenRow({ rows: keys }, search.open, ({ id }) => id);
  const show = (change: KeysSearch, replace = false) =>
    void navigate({ to: '/keys', search: { q: search.q, ...change } as never, replace, resetScroll: false });
  return (
    <Page
      title={t`Keys`}
      about={
        isOwner ? (
          <Trans>What programs send to spend from this account.</Trans>
        ) : (
          <Trans>Your own keys. An owner sees those of everybody.</Trans>
        )
      }
      action={
        <Button kind="filled" onClick={() => show({ make: 'key' })}>
          <Plus aria-hidden />
          <Trans>New key</Trans>
        </Button>
      }
    >
      <search aria-label={t`Filters`} className="flex">
        <TextFilter label={t`Search`} value={search.q} onValue={(q) => show({ q }, true)} />
      </search>
      {opened.isMissing && <MissingRow id={search.open} onClose={() => show({})} />}
      {error !== null && <Problem error={error} onRetry={retry} />}
      {keys === undefined && error === null && <Skeleton rows={4} />}
      {keys !== undefined && <KeyList keys={keys} search={search} onOpen={(id) => show({ open: id })} />}
      <KeyPanel apiKey={opened.row} onClose={() => show({})} />
      <NewKeyDialog isOpen={search.make !== undefined} onClose={() => show({})} />
    </Page>
  );
}
