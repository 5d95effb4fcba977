import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { ApiKey } from '../../api/keys.js';
import { useRows } from '../../api/pages.js';
import { Button } from '../../parts/button.jsx';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { Tag } from '../../parts/status.jsx';
import { KeyPanel } from './key-panel.jsx';
import { NewKeyDialog } from './new-key-dialog.jsx';

const NameCell = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const { t } = useLingui();
  return (
    <span className="flex items-center gap-2">
      <span className="truncate font-medium">{apiKey.name ?? apiKey.id}</span>
      {apiKey.test && <Tag>{t`test`}</Tag>}
    </span>
  );
};

function useColumns(): readonly Column<ApiKey>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t`Name`,
        width: 'minmax(9rem,2fr)',
        narrowWidth: '1fr',
        cell: (row) => <NameCell apiKey={row} />,
      },
      {
        id: 'prefix',
        title: t`Key`,
        width: '9rem',
        isExtra: true,
        cell: (row) => <code className="font-mono text-muted">{row.prefix}…</code>,
      },
      {
        id: 'used',
        title: t`Last used`,
        width: '9rem',
        isExtra: true,
        cell: (row) => (row.last_used_at === null ? t`never` : <Time at={row.last_used_at} form="relative" />),
      },
      {
        id: 'ends',
        title: t`Ends`,
        width: '8rem',
        isExtra: true,
        cell: (row) => (row.expires_at === null ? t`never` : <Time at={row.expires_at} form="relative" />),
      },
      { id: 'spent', title: t`Spent`, width: '8rem', isNumber: true, cell: (row) => <Amount usd={row.spent_usd} /> },
    ],
    [t],
  );
}

/** The keys of the account. The address holds which one is open. */
export function KeysPage() {
  const { t } = useLingui();
  const { open, make } = useSearch({ strict: false }) as { open?: string; make?: string };
  const navigate = useNavigate();
  const columns = useColumns();
  const { rows: keys, error, retry } = useRows<ApiKey>('/account/keys');
  const show = (search: { open?: string; make?: string }) => void navigate({ to: '/keys', search: search as never });
  const newKey = (
    <Button kind="filled" onClick={() => show({ make: 'key' })}>
      <Plus aria-hidden />
      <Trans>New key</Trans>
    </Button>
  );
  return (
    <Page title={t`Keys`} about={<Trans>What programs send to spend from this account.</Trans>} action={newKey}>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {keys === undefined && error === null && <Skeleton rows={4} />}
      {keys?.length === 0 && (
        <Empty title={t`No keys yet`} next={<Trans>Make one, and put it into your program.</Trans>} />
      )}
      {keys !== undefined && keys.length > 0 && (
        <DataTable
          label={t`Keys`}
          columns={columns}
          rows={keys}
          rowId={(row) => row.id}
          onOpen={(row) => show({ open: row.id })}
          openId={open}
        />
      )}
      <KeyPanel apiKey={keys?.find(({ id }) => id === open)} onClose={() => show({})} />
      <NewKeyDialog isOpen={make !== undefined} onClose={() => show({})} />
    </Page>
  );
}
