import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { KEPT_STATUSES, type KeptRequest } from '../../api/media.js';
import { useRows } from '../../api/pages.js';
import { type Column, ICON_TRACK, TIME_TRACK } from '../../parts/data-table.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { useOpenRow } from '../../parts/use-open-row.js';
import { KeptList } from './kept-list.jsx';
import { KeptRequestPanel } from './kept-request-panel.jsx';
import { KeptState, useKeptWords } from './kept-status.jsx';
import { useListSearch } from './use-list-search.js';

const PATH = '/account/kept-requests';
const FILTERS = ['status', 'test'];

function useColumns(): readonly Column<KeptRequest>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t`Sent`,
        width: '8.5rem',
        narrowWidth: TIME_TRACK,
        cell: (row) => <Time at={row.created_at} />,
      },
      {
        id: 'status',
        title: t`Status`,
        width: '8rem',
        narrowWidth: ICON_TRACK,
        cell: (row) => <KeptState status={row.status} isShort />,
      },
      { id: 'model', title: t`Model`, width: 'minmax(9rem,1fr)', narrowWidth: '1fr', cell: (row) => row.model },
      { id: 'endpoint', title: t`Endpoint`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.endpoint },
      {
        id: 'expires',
        title: t`Kept until`,
        width: '8.5rem',
        isExtra: true,
        cell: (row) => <Time at={row.expires_at} form="relative" />,
      },
      {
        id: 'cost',
        title: t`Cost`,
        width: '7rem',
        narrowWidth: '6.5rem',
        isNumber: true,
        cell: (row) => (row.cost_usd === null ? '—' : <Amount usd={row.cost_usd} />),
      },
    ],
    [t],
  );
}

/** Requests whose response is kept until their client takes it. */
export function KeptRequestsView() {
  const { t } = useLingui();
  const words = useKeptWords();
  const search = useListSearch('requests', FILTERS);
  const columns = useColumns();
  const list = useRows<KeptRequest>(PATH, search.filter);
  const opened = useOpenRow(list, search.open, ({ id }) => id);
  return (
    <div className="flex flex-col gap-4">
      {opened.isMissing && <MissingRow id={search.open} onClose={() => search.show(undefined)} />}
      <KeptList
        label={t`Kept requests`}
        path={PATH}
        list={list}
        columns={columns}
        search={search}
        choice={{
          name: 'status',
          label: t`Status`,
          any: t`Any status`,
          choices: KEPT_STATUSES.map((value) => ({ value, label: words[value] })),
        }}
        empty={{
          filtered: t`No request matches`,
          title: t`No response is kept`,
          next: <Trans>Send a request with the header "Prefer: respond-async", and take its response later.</Trans>,
        }}
      />
      <KeptRequestPanel request={opened.row} onClose={() => search.show(undefined)} />
    </div>
  );
}
