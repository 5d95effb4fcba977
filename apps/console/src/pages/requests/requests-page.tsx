import { Trans, useLingui } from '@lingui/react/macro';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useKeyNames } from '../../api/key-names.js';
import { useRows } from '../../api/pages.js';
import type { RequestLine } from '../../api/requests.js';
import { useMay } from '../../api/session.js';
import { count } from '../../format/count.js';
import { duration } from '../../format/time.js';
import { buttonClasses } from '../../parts/button.jsx';
import { type Column, ICON_TRACK, TIME_TRACK } from '../../parts/data-table.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { OutcomeStatus } from '../../parts/outcome.jsx';
import { Page } from '../../parts/page.jsx';
import { timeSorting } from '../../parts/sort-rows.js';
import { Empty } from '../../parts/states.jsx';
import { RequestFilters } from './filters.jsx';
import { ReceiptPanel } from './receipt-panel.jsx';
import { filterOf, queryOf, type RequestSearch } from './request-search.js';

/** A request id, whole. */
const ID_TRACK = '15.5rem';

/** What stands in the receipt too, for who compares many requests. */
function useOptionalColumns(): readonly Column<RequestLine>[] {
  const { t, i18n } = useLingui();
  const keyNames = useKeyNames();
  return useMemo(() => {
    const text = (
      id: string,
      title: string,
      of: (row: RequestLine) => string | null,
      width = '12rem',
    ): Column<RequestLine> => ({
      id,
      title,
      width,
      isOptional: true,
      cell: (row) => <code className="font-mono text-small">{of(row) ?? '—'}</code>,
    });
    const number = (id: string, title: string, of: (row: RequestLine) => string | undefined): Column<RequestLine> => ({
      id,
      title,
      width: '8rem',
      isNumber: true,
      isOptional: true,
      cell: (row) => of(row) ?? '—',
    });
    const tokens = (unit: string) => (row: RequestLine) =>
      row.units[unit] === undefined ? undefined : count(row.units[unit], i18n.locale);
    return [
      number('input', t`Input tokens`, tokens('input_token')),
      number('output', t`Output tokens`, tokens('output_token')),
      number('first-byte', t`First byte`, ({ admitted_at: start, first_byte_at: first }) =>
        first === null ? undefined : duration(Date.parse(first) - Date.parse(start), i18n.locale),
      ),
      text('error', t`Error`, (row) => row.error_code),
      text('key', t`Key`, (row) => keyNames.get(row.key_id) ?? row.key_id),
      text('idempotency', t`Idempotency key`, (row) => row.idempotency_key),
      text('id', t`Request id`, (row) => row.request_id, ID_TRACK),
    ];
  }, [t, i18n.locale, keyNames]);
}

function useColumns(): readonly Column<RequestLine>[] {
  const { t, i18n } = useLingui();
  const optional = useOptionalColumns();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t`Time`,
        sortBy: (row) => row.settled_at,
        width: '8.5rem',
        narrowWidth: TIME_TRACK,
        cell: (row) => <Time at={row.settled_at} />,
      },
      {
        id: 'outcome',
        title: t`Outcome`,
        width: '9.5rem',
        narrowWidth: ICON_TRACK,
        cell: (row) => <OutcomeStatus outcome={row.outcome} isShort />,
      },
      { id: 'model', title: t`Model`, width: 'minmax(9rem,1fr)', narrowWidth: '1fr', cell: (row) => row.model },
      { id: 'endpoint', title: t`Endpoint`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.endpoint },
      {
        id: 'status',
        title: t({ message: 'Status', context: 'HTTP' }),
        width: '5rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => row.http_status ?? '—',
      },
      {
        id: 'duration',
        title: t`Duration`,
        width: '6rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => duration(row.duration_ms, i18n.locale),
      },
      {
        id: 'cost',
        title: t`Cost`,
        width: '7.5rem',
        narrowWidth: '6.75rem',
        isNumber: true,
        cell: (row) => <Amount usd={row.cost_usd} />,
      },
      ...optional,
    ],
    [t, i18n.locale, optional],
  );
}

function NoRequest({ isFiltered }: { readonly isFiltered: boolean }) {
  const { t } = useLingui();
  const mayCall = useMay('developer');
  if (isFiltered)
    return <Empty title={t`No request matches`} next={<Trans>Change the filters, or clear them.</Trans>} />;
  return (
    <Empty
      title={t`No requests yet`}
      next={<Trans>Send your first request; it appears here as soon as it ends.</Trans>}
      action={
        mayCall && (
          <Link to="/first-call" className={buttonClasses('plain', 'mt-2')}>
            <Trans>Make the first call</Trans>
          </Link>
        )
      }
    />
  );
}

interface RowsProps {
  readonly search: RequestSearch;
  /** The filter as the list takes it. */
  readonly query: RequestSearch;
  readonly onOpen: (id: string) => void;
  readonly onOldestFirst: (isOldestFirst: boolean) => void;
}

function Rows({ search, query, onOpen, onOldestFirst }: RowsProps) {
  const { t } = useLingui();
  const { open } = search;
  const columns = useColumns();
  const order = search.order === 'oldest' ? 'oldest' : undefined;
  const list = useRows<RequestLine>('/account/requests', { ...query, order });
  const isFiltered = Object.values(query).some((value) => value !== undefined && value !== '');
  return (
    <ListView
      label={t`Requests`}
      name="requests"
      list={list}
      columns={columns}
      rowId={(row) => row.request_id}
      onOpen={(row) => onOpen(row.request_id)}
      openId={open}
      {...timeSorting(order === 'oldest', onOldestFirst)}
      empty={<NoRequest isFiltered={isFiltered} />}
    />
  );
}

/** Every request of the account, the newest first; the address holds the filters and the open receipt. */
export function RequestsPage() {
  const { t } = useLingui();
  const search = useSearch({ strict: false }) as RequestSearch;
  const navigate = useNavigate();
  const { open } = search;
  const filter = filterOf(search);
  const kept = { ...filter, order: search.order };
  // The list moves on by its events, not by the clock: `since` counts from when it was chosen.
  const filterText = JSON.stringify(filter);
  const query = useMemo(() => queryOf(JSON.parse(filterText) as RequestSearch, new Date()), [filterText]);
  const go = (next: RequestSearch, replace: boolean) =>
    void navigate({ to: '/requests', search: next as never, replace, resetScroll: false });
  const show = (id: string | undefined) => go({ ...kept, open: id }, false);
  const change = (next: RequestSearch) => go(next, true);
  return (
    <Page title={t`Requests`}>
      <RequestFilters
        filter={filter}
        onChange={(next) => change({ ...next, order: search.order })}
        end={<ExportCsv path="/account/requests" query={query} />}
      />
      <Rows
        search={search}
        query={query}
        onOpen={show}
        onOldestFirst={(isOldest) => change({ ...filter, order: isOldest ? 'oldest' : undefined })}
      />
      <ReceiptPanel id={open} onClose={() => show(undefined)} />
    </Page>
  );
}
