import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { healthQuery, type ModelHealth } from '../../api/models.js';
import { count } from '../../format/count.js';
import { duration } from '../../format/time.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Section } from '../../parts/page.jsx';
import { Problem, Skeleton } from '../../parts/states.jsx';

type OwnHealth = Pick<ModelHealth, 'model'> & NonNullable<ModelHealth['own']>;

function useColumns(): readonly Column<OwnHealth>[] {
  const { t, i18n } = useLingui();
  const { locale } = i18n;
  return useMemo(() => {
    const perCent = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 });
    const time = (milliseconds: number | undefined) =>
      milliseconds === undefined ? '—' : duration(milliseconds, locale);
    return [
      { id: 'model', title: t`Model`, width: 'minmax(9rem,1fr)', narrowWidth: '1fr', cell: (row) => row.model },
      {
        id: 'requests',
        title: t`Requests`,
        width: '8rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => count(row.requests, locale),
      },
      {
        id: 'median',
        title: t`First byte`,
        width: '8rem',
        narrowWidth: '6rem',
        isNumber: true,
        cell: (row) => time(row.first_byte_ms?.median),
      },
      {
        id: 'slow',
        title: t`Slowest tenth`,
        width: '8rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => time(row.first_byte_ms?.slow_tenth),
      },
      {
        id: 'failed',
        title: t`Failed`,
        width: '7rem',
        narrowWidth: '5rem',
        isNumber: true,
        cell: (row) => perCent.format(row.error_rate),
      },
    ];
  }, [t, locale]);
}

/** How fast models answer the account, and how often they fail. Nothing before the first request. */
export function Speed() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const columns = useColumns();
  const { data, error, refetch } = useQuery(healthQuery);
  const rows = useMemo(
    () =>
      (data?.data ?? []).flatMap(({ model, own }): readonly OwnHealth[] => (own === null ? [] : [{ model, ...own }])),
    [data],
  );
  if (data !== undefined && rows.length === 0) return null;
  return (
    <Section title={t`Speed and failures`} about={<Trans>The last 24 hours, your latest 1,000 requests.</Trans>}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton rows={3} />}
      {rows.length > 0 && (
        <DataTable
          label={t`Speed and failures by model`}
          columns={columns}
          rows={rows}
          rowId={({ model }) => model}
          onOpen={({ model }) => void navigate({ to: '/requests', search: { model } as never })}
        />
      )}
    </Section>
  );
}
