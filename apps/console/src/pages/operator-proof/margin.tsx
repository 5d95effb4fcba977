import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { MarginLine, MarginReport, MarginSums } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { utcDay } from '../../format/time.js';
import { useAddress } from '../../parts/address.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { DayFields } from '../../parts/day-fields.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { Amount } from '../../parts/figures.jsx';
import { lazyPart } from '../../parts/lazy-part.jsx';
import { Select } from '../../parts/select.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { useSorted } from '../../parts/use-sorted.js';
import { MARGIN_GROUPS, type MarginGroup, type MarginPeriod, marginQuery } from './margin-query.js';

/** The plot is large, and only this view has one. */
const MarginChart = lazyPart(() => import('./margin-chart.jsx'), 'MarginChart', {
  Waiting: () => <Skeleton rows={5} />,
});

const isLoss = ({ margin_usd: margin }: MarginLine): boolean => margin.startsWith('-');

function useColumns(title: string): readonly Column<MarginLine>[] {
  const { t, i18n } = useLingui();
  return useMemo(
    () => [
      {
        id: 'group',
        title,
        width: 'minmax(9rem,1fr)',
        narrowWidth: '1fr',
        sortBy: (row) => row.email ?? row.group,
        cell: (row) => row.email ?? row.group,
      },
      {
        id: 'requests',
        title: t`Requests`,
        width: '7rem',
        sortBy: (row) => row.requests,
        isNumber: true,
        isExtra: true,
        cell: (row) => count(row.requests, i18n.locale),
      },
      {
        id: 'uncosted',
        title: t`Cost unknown`,
        width: '8rem',
        sortBy: (row) => Number(row.uncosted_usd),
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.uncosted_usd} />,
      },
      {
        id: 'charged',
        title: t`Customers paid`,
        width: '9rem',
        sortBy: (row) => Number(row.charged_usd),
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.charged_usd} />,
      },
      {
        id: 'cost',
        title: t`Vendors bill`,
        width: '9rem',
        sortBy: (row) => Number(row.vendor_cost_usd),
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.vendor_cost_usd} />,
      },
      {
        id: 'margin',
        title: t`Margin`,
        width: '8rem',
        narrowWidth: '6.5rem',
        sortBy: (row) => Number(row.margin_usd),
        isNumber: true,
        cell: (row) => <Amount usd={row.margin_usd} {...(isLoss(row) && { className: 'text-failed' })} />,
      },
      {
        id: 'percent',
        title: t`Share`,
        width: '6rem',
        narrowWidth: '5.5rem',
        sortBy: (row) => (row.margin_percent === null ? null : Number(row.margin_percent)),
        isNumber: true,
        cell: (row) => (row.margin_percent === null ? '—' : `${row.margin_percent} %`),
      },
    ],
    [t, i18n.locale, title],
  );
}

/** What customers paid, less what does not count, less what vendors bill, is the margin. */
function Sums({ total }: { readonly total: MarginSums }) {
  if (total.uncosted_requests === 0)
    return (
      <Trans>
        Together: <Amount usd={total.charged_usd} isExact /> paid, less <Amount usd={total.vendor_cost_usd} isExact />{' '}
        billed by vendors: margin <Amount usd={total.margin_usd} isExact />.
      </Trans>
    );
  return (
    <>
      <Trans>
        Together: <Amount usd={total.charged_usd} isExact /> paid, less <Amount usd={total.uncosted_usd} isExact /> of
        unknown cost, less <Amount usd={total.vendor_cost_usd} isExact /> billed by vendors: margin{' '}
        <Amount usd={total.margin_usd} isExact />.
      </Trans>{' '}
      <Plural
        value={total.uncosted_requests}
        one="# request has an unknown cost and does not count."
        other="# requests have an unknown cost and do not count."
      />
    </>
  );
}

function Total({ report: { from, to, total } }: { readonly report: MarginReport }) {
  const { t, i18n } = useLingui();
  const first = utcDay(new Date(from), i18n.locale);
  const last = utcDay(new Date(Date.parse(to) - 1), i18n.locale);
  return (
    <p className="text-muted">
      {t`From ${first} to ${last}, in UTC.`} <Sums total={total} />
    </p>
  );
}

function useGroupWords(): Readonly<Record<MarginGroup, string>> {
  const { t } = useLingui();
  return { model: t`Model`, day: t`Day`, account: t`Account`, vendor: t`Vendor`, endpoint: t`Endpoint` };
}

interface RowsProps {
  readonly group: MarginGroup;
  readonly report: MarginReport;
}

/** A day opens its models, an account its panel, and both lead back. The other groups have nothing below them. */
function useOpen(group: MarginGroup): ((row: MarginLine) => void) | undefined {
  const navigate = useNavigate();
  if (group === 'day')
    return ({ group: day }) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, by: 'model', from: day, to: day })) as never,
        resetScroll: false,
      });
  if (group === 'account')
    return ({ group: account }) => void navigate({ to: '/operator/accounts', search: { open: account } as never });
  return undefined;
}

function Rows({ group, report }: RowsProps) {
  const { t } = useLingui();
  const onOpen = useOpen(group);
  const columns = useColumns(useGroupWords()[group]);
  const { sorted, sorting } = useSorted(report.data, columns);
  if (sorted.length === 0)
    return <Empty title={t`Nothing was charged in these days`} next={<Trans>Choose other days.</Trans>} />;
  return (
    <>
      <Total report={report} />
      <DataTable
        label={t`Margin`}
        name="margin"
        columns={columns}
        rows={sorted}
        rowId={(row) => row.group}
        {...(onOpen !== undefined && { onOpen })}
        {...sorting}
      />
    </>
  );
}

/** The chart and its rows are two reads: they fail and are read again together. */
function Report({ group, period }: { readonly group: MarginGroup; readonly period: MarginPeriod }) {
  const { change } = useAddress();
  const days = useQuery(marginQuery('day', period));
  const lines = useQuery(marginQuery(group, period));
  const error = lines.error ?? days.error;
  const retry = () => {
    for (const query of [days, lines]) if (query.error !== null) void query.refetch();
  };
  if (error !== null) return <Problem error={error} onRetry={retry} />;
  return (
    <>
      <MarginChart report={days.data} onRows={() => change({ by: 'day' })} />
      {lines.data === undefined ? <Skeleton rows={5} /> : <Rows group={group} report={lines.data} />}
    </>
  );
}

/** What customers paid beside what vendors bill: in the last 30 days, or in those of the address. */
export function Margin() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const group = MARGIN_GROUPS.find((one) => one === search.by) ?? 'model';
  const words = useGroupWords();
  const period = { from: search.from, to: search.to };
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={t({ message: 'By', context: 'of a sum' })}
          value={group}
          onValue={(by) => change({ by })}
          choices={MARGIN_GROUPS.map((value) => ({ value, label: words[value] }))}
        />
        <DayFields from={search.from} to={search.to} onChange={change} />
        <div className="ml-auto">
          <ExportCsv path="/admin/margin" query={{ group_by: group, ...period }} />
        </div>
      </div>
      <Report group={group} period={period} />
    </div>
  );
}
