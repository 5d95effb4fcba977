import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get } from '../../api/call.js';
import type { MarginLine, MarginReport } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { useAddress } from '../../parts/address.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { Amount } from '../../parts/figures.jsx';
import { Select } from '../../parts/select.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';

const GROUPS = ['model', 'day', 'account', 'vendor', 'endpoint'] as const;
type Group = (typeof GROUPS)[number];

const isLoss = ({ margin_usd: margin }: MarginLine): boolean => margin.startsWith('-');

function useColumns(title: string): readonly Column<MarginLine>[] {
  const { t, i18n } = useLingui();
  return useMemo(
    () => [
      {
        id: 'group',
        title,
        width: 'minmax(10rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => row.email ?? row.group,
      },
      {
        id: 'requests',
        title: t`Requests`,
        width: '7rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => count(row.requests, i18n.locale),
      },
      {
        id: 'charged',
        title: t`Customers paid`,
        width: '9rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.charged_usd} />,
      },
      {
        id: 'cost',
        title: t`Vendors bill`,
        width: '9rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.vendor_cost_usd} />,
      },
      {
        id: 'margin',
        title: t`Margin`,
        width: '8rem',
        narrowWidth: '6.5rem',
        isNumber: true,
        cell: (row) => <Amount usd={row.margin_usd} {...(isLoss(row) && { className: 'text-failed' })} />,
      },
      {
        id: 'percent',
        title: t`Share`,
        width: '6rem',
        narrowWidth: '4.5rem',
        isNumber: true,
        cell: (row) => (row.margin_percent === null ? '—' : `${row.margin_percent} %`),
      },
    ],
    [t, i18n.locale, title],
  );
}

function Total({ report: { total } }: { readonly report: MarginReport }) {
  const { i18n } = useLingui();
  const uncosted = count(total.uncosted_requests, i18n.locale);
  return (
    <p className="text-muted">
      <Trans>
        Together: <Amount usd={total.charged_usd} isExact /> paid, <Amount usd={total.vendor_cost_usd} isExact /> billed
        by vendors, margin <Amount usd={total.margin_usd} isExact />. {uncosted} requests have an unknown cost and do
        not count.
      </Trans>
    </p>
  );
}

/** What customers paid beside what vendors bill, in the last 30 days. */
export function Margin() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const group: Group = GROUPS.find((one) => one === search.by) ?? 'model';
  const words: Record<Group, string> = {
    model: t`Model`,
    day: t`Day`,
    account: t`Account`,
    vendor: t`Vendor`,
    endpoint: t`Endpoint`,
  };
  const columns = useColumns(words[group]);
  const query = { group_by: group };
  const { data, error, refetch } = useQuery({
    queryKey: ['margin', group],
    queryFn: ({ signal }) => get<MarginReport>('/admin/margin', query, signal),
  });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Select
          label={t`By`}
          value={group}
          onValue={(by) => change({ by })}
          choices={GROUPS.map((value) => ({ value, label: words[value] }))}
        />
        <ExportCsv path="/admin/margin" query={query} />
      </div>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={5} />}
      {data?.data.length === 0 && <Empty title={t`Nothing was charged in the last 30 days`} />}
      {data !== undefined && data.data.length > 0 && (
        <>
          <Total report={data} />
          <DataTable label={t`Margin`} columns={columns} rows={data.data} rowId={(row) => row.group} />
        </>
      )}
    </div>
  );
}
