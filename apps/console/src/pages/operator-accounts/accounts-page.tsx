import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowedRows } from '../../api/followed.js';
import type { AdminAccount } from '../../api/operators.js';
import { useAddress, useFilters } from '../../parts/address.js';
import type { Column } from '../../parts/data-table.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { Filters, TextFilter } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { AccountPanel } from './account-panel.jsx';

function useColumns(): readonly Column<AdminAccount>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t`Account`,
        width: 'minmax(12rem,2fr)',
        narrowWidth: '1fr',
        cell: (row) => (
          <span>
            <span className="font-medium">{row.name || row.email}</span>{' '}
            {row.name !== '' && <span className="text-muted">{row.email}</span>}
          </span>
        ),
      },
      {
        id: 'created',
        title: t`Created`,
        width: '9rem',
        isExtra: true,
        cell: (row) => <Time at={row.created_at} form="relative" />,
      },
      {
        id: 'state',
        title: t`State`,
        width: '8rem',
        isExtra: true,
        cell: (row) =>
          row.suspended_at === null ? (
            <Status meaning="succeeded">{t`Active`}</Status>
          ) : (
            <Status meaning="failed">{t`Suspended`}</Status>
          ),
      },
      {
        id: 'rpm',
        title: t`Requests a minute`,
        width: '10rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => row.rpm ?? t`standard`,
      },
      {
        id: 'balance',
        title: t`Balance`,
        width: '8rem',
        isNumber: true,
        cell: (row) => <Amount usd={row.balance_usd} />,
      },
    ],
    [t],
  );
}

/** Every account, found by a part of its name, an address or its id. */
export function OperatorAccountsPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const { values, isFiltered, set, clear } = useFilters(['search']);
  const columns = useColumns();
  const list = useFollowedRows<AdminAccount>('/admin/accounts', values);
  return (
    <Page title={t`Accounts`} about={<Trans>Limits, credit and a look at each account.</Trans>}>
      <Filters isFiltered={isFiltered} onClear={clear}>
        <TextFilter label={t`Name, address or id`} value={values.search} onValue={set('search')} />
      </Filters>
      <ListView
        list={list}
        label={t`Accounts`}
        name="operator-accounts"
        columns={columns}
        rowId={(row) => row.id}
        onOpen={(row) => change({ open: row.id })}
        openId={search.open}
        empty={<Empty title={t`No account matches`} next={<Trans>Search for another part of its name.</Trans>} />}
      />
      <AccountPanel id={search.open} onClose={() => change({ open: undefined })} />
    </Page>
  );
}
