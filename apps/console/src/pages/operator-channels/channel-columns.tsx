import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import type { Channel } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { duration } from '../../format/time.js';
import type { Column } from '../../parts/data-table.jsx';
import { Time } from '../../parts/figures.jsx';
import { Tag } from '../../parts/status.jsx';
import { Health, StateOfChannel } from './channel-words.jsx';

/** `4.2 %` of the calls of the last five minutes. */
const share = ({ calls, failed_calls: failed }: Channel, locale: string): string =>
  calls === 0
    ? '—'
    : new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(failed / calls);

const latency = (ms: number | null, locale: string): string => (ms === null ? '—' : duration(ms, locale));

/** What is asked for when something is wrong. */
function useOptionalColumns(): readonly Column<Channel>[] {
  const { t, i18n } = useLingui();
  return useMemo(
    () => [
      {
        id: 'retries',
        title: t`Retries left`,
        sortBy: (row) => row.retry_tokens,
        width: '8rem',
        isNumber: true,
        isOptional: true,
        cell: (row) => count(Math.floor(row.retry_tokens), i18n.locale),
      },
      {
        id: 'last-error',
        title: t`Last error`,
        width: '14rem',
        isOptional: true,
        cell: ({ last_error: last }) =>
          last === null ? (
            '—'
          ) : (
            <>
              {last.code} <Time at={last.at} form="relative" />
            </>
          ),
      },
    ],
    [t, i18n.locale],
  );
}

/** What was measured in the last five minutes, and how calls are shared. */
function useMeasureColumns(): readonly Column<Channel>[] {
  const { t, i18n } = useLingui();
  const { locale } = i18n;
  return useMemo(
    () => [
      {
        id: 'flight',
        title: t`In flight`,
        sortBy: (row) => row.in_flight,
        width: '6rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => count(row.in_flight, locale),
      },
      {
        id: 'calls',
        title: t`Calls, 5 min`,
        sortBy: (row) => row.calls,
        width: '7.5rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => count(row.calls, locale),
      },
      {
        id: 'errors',
        title: t`Errors`,
        sortBy: (row) => (row.calls === 0 ? null : row.failed_calls / row.calls),
        width: '5.5rem',
        narrowWidth: '6rem',
        isNumber: true,
        cell: (row) => share(row, locale),
      },
      {
        id: 'p95',
        title: t`95 % below`,
        sortBy: (row) => row.latency_ms.p95,
        width: '7rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => latency(row.latency_ms.p95, locale),
      },
      {
        id: 'weight',
        title: t`Weight`,
        sortBy: (row) => row.weight,
        width: '6rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => row.weight ?? '—',
      },
    ],
    [t, locale],
  );
}

export function useChannelColumns(): readonly Column<Channel>[] {
  const { t } = useLingui();
  const measures = useMeasureColumns();
  const optional = useOptionalColumns();
  return useMemo(
    () => [
      { id: 'vendor', title: t`Vendor`, width: '6.5rem', isExtra: true, cell: (row) => row.vendor ?? '—' },
      {
        id: 'id',
        title: t`Channel`,
        width: 'minmax(10rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => (
          <span className="flex items-center gap-2">
            <span className="truncate font-medium">{row.id}</span>
            {row.is_test === true && <Tag>{t`test`}</Tag>}
          </span>
        ),
      },
      {
        id: 'state',
        title: t`State`,
        sortBy: (row) => row.state,
        width: '6.5rem',
        cell: (row) => <StateOfChannel channel={row} />,
      },
      {
        id: 'health',
        title: t`Health`,
        sortBy: (row) => row.health,
        width: '7.5rem',
        isExtra: true,
        cell: (row) => <Health health={row.health} />,
      },
      ...measures,
      ...optional,
    ],
    [t, measures, optional],
  );
}
