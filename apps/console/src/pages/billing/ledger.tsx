import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { LedgerLine } from '../../api/money.js';
import { useRows } from '../../api/pages.js';
import { useFilters } from '../../parts/address.js';
import { CellLink } from '../../parts/cell-link.jsx';
import { classes } from '../../parts/classes.js';
import { type Column, TIME_TRACK } from '../../parts/data-table.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { ChoiceFilter, Filters } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { Section } from '../../parts/page.jsx';
import { timeSorting } from '../../parts/sort-rows.js';
import { Empty } from '../../parts/states.jsx';
import { TimeFilter } from '../../parts/time-filter.jsx';

const PATH = '/account/ledger';
const KINDS = ['top_up', 'adjustment', 'settlement'] as const;
const FILTERS = ['kind', 'from', 'to', 'order'];

const REQUEST = /^req_/;

const Reference = ({ line }: { readonly line: LedgerLine }) =>
  REQUEST.test(line.reference) ? (
    <CellLink to="/requests" search={{ open: line.reference } as never} className="font-mono text-small">
      {line.reference}
    </CellLink>
  ) : (
    <span title={line.reference}>
      {line.reason ?? line.reference}
      {line.reason !== null && <span className="text-muted"> · {line.reference}</span>}
    </span>
  );

const Change = ({ line }: { readonly line: LedgerLine }) => {
  const isOut = line.amount_usd.startsWith('-');
  return <Amount usd={line.amount_usd} isExact className={classes(isOut ? 'text-money-out' : 'text-money-in')} />;
};

/** What changed the balance, in words. */
function useKinds(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return useMemo(() => ({ top_up: t`Top-up`, adjustment: t`Adjustment`, settlement: t`Charge` }), [t]);
}

function useColumns(): readonly Column<LedgerLine>[] {
  const { t } = useLingui();
  const kinds = useKinds();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t`Time`,
        sortBy: (row) => row.created_at,
        width: '9rem',
        narrowWidth: TIME_TRACK,
        cell: (row) => <Time at={row.created_at} />,
      },
      {
        id: 'kind',
        title: t`Kind`,
        width: '8rem',
        isExtra: true,
        cell: (row) => kinds[row.kind] ?? row.kind,
      },
      {
        id: 'reference',
        title: t`For`,
        width: 'minmax(8rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => <Reference line={row} />,
      },
      {
        id: 'amount',
        title: t`Amount`,
        width: '10rem',
        narrowWidth: '10rem',
        isNumber: true,
        cell: (row) => <Change line={row} />,
      },
    ],
    [t, kinds],
  );
}

/** Every change of the balance, of one kind or of all. */
export function Ledger() {
  const { t } = useLingui();
  const columns = useColumns();
  const kinds = useKinds();
  const { values, isFiltered, set, clear } = useFilters(FILTERS);
  const list = useRows<LedgerLine>(PATH, values);
  return (
    <Section title={t`Ledger`} about={<Trans>Every change of the balance, with its reason.</Trans>}>
      <Filters isFiltered={isFiltered} onClear={clear} end={<ExportCsv path={PATH} query={values} />}>
        <ChoiceFilter
          label={t`Kind`}
          any={t`Every kind`}
          value={values.kind}
          onValue={set('kind')}
          choices={KINDS.map((value) => ({ value, label: kinds[value] ?? value }))}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <TimeFilter label={t`From`} value={values.from} onValue={set('from')} />
          <TimeFilter label={t`To`} value={values.to} onValue={set('to')} />
        </div>
      </Filters>
      <ListView
        label={t`Ledger`}
        name="ledger"
        list={list}
        columns={columns}
        rowId={(row) => row.id}
        {...timeSorting(values.order === 'oldest', (isOldest) => set('order')(isOldest ? 'oldest' : undefined))}
        empty={
          isFiltered ? (
            <Empty title={t`No entry matches`} next={<Trans>Change the filters, or clear them.</Trans>} />
          ) : (
            <Empty
              title={t`No entries yet`}
              next={<Trans>Credits and charges appear here, each with its reason.</Trans>}
            />
          )
        }
      />
    </Section>
  );
}
