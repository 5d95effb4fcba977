import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { get } from '../../api/call.js';
import type { BillItem, BillLine, ComparedBill } from '../../api/operators.js';
import { useRows } from '../../api/pages.js';
import { nanoUsd } from '../../format/money.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Amount } from '../../parts/figures.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { Select } from '../../parts/select.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';

const Difference = ({ usd }: { readonly usd: string }) => (
  <Amount usd={usd} className={nanoUsd(usd) === 0n ? 'text-succeeded' : 'font-medium text-failed'} />
);

function useLineColumns(): readonly Column<BillLine>[] {
  const { t } = useLingui();
  return useMemo(
    () => [
      { id: 'day', title: t`Day`, width: '7rem', cell: (row) => row.day },
      { id: 'model', title: t`Model`, width: 'minmax(7rem,1fr)', narrowWidth: '1fr', cell: (row) => row.model },
      {
        id: 'billed',
        title: t`Billed`,
        width: '7rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.billed_usd} />,
      },
      {
        id: 'recorded',
        title: t`Recorded`,
        width: '7rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.recorded_usd} />,
      },
      {
        id: 'difference',
        title: t`Difference`,
        width: '7rem',
        isNumber: true,
        cell: (row) => <Difference usd={row.difference_usd} />,
      },
    ],
    [t],
  );
}

const STATES = ['unmatched', 'different', 'equal'] as const;
type State = (typeof STATES)[number];

function Items({ id }: { readonly id: string }) {
  const { t } = useLingui();
  const [state, setState] = useState<State>('unmatched');
  const list = useRows<BillItem>(`/admin/vendor-bills/${id}/items`, { state });
  const words = { unmatched: t`Without a receipt`, different: t`Other amount`, equal: t`Equal` };
  const columns = useMemo(
    (): readonly Column<BillItem>[] => [
      {
        id: 'id',
        title: t`Id at the vendor`,
        width: 'minmax(9rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => <code className="font-mono text-small">{row.upstream_id}</code>,
      },
      { id: 'model', title: t`Model`, width: '9rem', isExtra: true, cell: (row) => row.model },
      { id: 'billed', title: t`Billed`, width: '7rem', isNumber: true, cell: (row) => <Amount usd={row.billed_usd} /> },
      {
        id: 'recorded',
        title: t`Recorded`,
        width: '7rem',
        isNumber: true,
        cell: (row) => (row.recorded_usd === null ? '—' : <Amount usd={row.recorded_usd} />),
      },
    ],
    [t],
  );
  return (
    <Section
      title={t`Requests`}
      action={
        <Select
          label={t`State`}
          isLabelHidden
          value={state}
          onValue={setState}
          choices={STATES.map((value) => ({ value, label: words[value] }))}
        />
      }
    >
      <ListView
        list={list}
        label={t`Requests of the bill`}
        columns={columns}
        rowId={(row) => row.upstream_id}
        empty={<Empty title={t`No such request`} next={<Trans>Only exports with ids of requests have them.</Trans>} />}
      />
    </Section>
  );
}

/** A bill beside the receipts: by day and model, and request by request. */
export function BillPanel({ id }: { readonly id: string }) {
  const { t } = useLingui();
  const columns = useLineColumns();
  const { data, error, refetch } = useQuery({
    queryKey: ['vendor-bill', id],
    queryFn: ({ signal }) => get<ComparedBill>(`/admin/vendor-bills/${id}`, {}, signal),
  });
  if (error !== null) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={6} />;
  return (
    <div className="flex flex-col gap-7">
      <Facts
        rows={[
          [t`Bill`, `${data.vendor}, ${data.name}`],
          [t`Days`, `${data.first_day ?? '—'} – ${data.last_day ?? '—'}`],
          [t`Billed`, <Amount key="billed" usd={data.billed_usd} isExact />],
          [t`Recorded`, <Amount key="recorded" usd={data.recorded_usd} isExact />],
          [t`Unexplained`, <Difference key="unexplained" usd={data.unexplained_usd} />],
          [t`Lines read`, t`${data.rows}, ${data.skipped_rows} of them left out`],
        ]}
      />
      <Section title={t`By day and model`}>
        <DataTable
          label={t`Bill by day and model`}
          columns={columns}
          rows={data.lines}
          rowId={(row) => `${row.day} ${row.model}`}
        />
      </Section>
      <Items id={id} />
    </div>
  );
}
