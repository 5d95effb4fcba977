import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowedRows } from '../../api/followed.js';
import type { Finding } from '../../api/operators.js';
import { CellLink } from '../../parts/cell-link.jsx';
import { type Column, TIME_TRACK } from '../../parts/data-table.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Empty } from '../../parts/states.jsx';

function useColumns(): readonly Column<Finding>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'at',
        title: t`Time`,
        width: '8.5rem',
        narrowWidth: TIME_TRACK,
        cell: (row) => (row.at === null ? '—' : <Time at={row.at} />),
      },
      {
        id: 'account',
        title: t`Account`,
        width: '9rem',
        isExtra: true,
        cell: (row) =>
          row.account_id === null ? (
            '—'
          ) : (
            <CellLink
              to="/operator/accounts"
              search={{ open: row.account_id } as never}
              className="font-mono text-small"
            >
              {row.account_id}
            </CellLink>
          ),
      },
      {
        id: 'about',
        title: t`About`,
        width: 'minmax(8rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => (
          <span title={row.request_id ?? row.id}>
            {row.about} <code className="font-mono text-muted text-small">{row.request_id}</code>
          </span>
        ),
      },
      {
        id: 'amount',
        title: t`Amount`,
        width: '7rem',
        isNumber: true,
        cell: (row) => (row.amount_usd === null ? '—' : <Amount usd={row.amount_usd} />),
      },
    ],
    [t],
  );
}

/** The rows behind one number. */
export function Findings({ kind }: { readonly kind: string }) {
  const { t } = useLingui();
  const columns = useColumns();
  const list = useFollowedRows<Finding>(`/admin/findings/${kind}`);
  return (
    <ListView
      list={list}
      label={t`Rows`}
      columns={columns}
      rowId={(row) => row.id}
      empty={<Empty title={t`No rows`} next={<Trans>The number is zero, or what it counted has ended.</Trans>} />}
    />
  );
}
