import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowed } from '../../api/followed.js';
import type { Channel } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { duration } from '../../format/time.js';
import { useAddress } from '../../parts/address.js';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { FollowedView } from '../../parts/followed-view.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { Tag } from '../../parts/status.jsx';
import { useSorted } from '../../parts/use-sorted.js';
import { ChannelPanel } from './channel-panel.jsx';
import { Health, StateOfChannel } from './channel-words.jsx';

/** `4.2 %` of the calls of the last five minutes. */
const share = ({ calls, failed_calls: failed }: Channel, locale: string): string =>
  calls === 0
    ? '—'
    : new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(failed / calls);

const latency = (ms: number | null, locale: string): string => (ms === null ? '—' : duration(ms, locale));

function useColumns(): readonly Column<Channel>[] {
  const { t, i18n } = useLingui();
  const { locale } = i18n;
  return useMemo(
    () => [
      { id: 'vendor', title: t`Vendor`, width: '6.5rem', isExtra: true, cell: (row) => row.vendor ?? '—' },
      {
        id: 'id',
        title: t`Channel`,
        width: 'minmax(12rem,1fr)',
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
        narrowWidth: '4.5rem',
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

const byVendor = (one: Channel, other: Channel): number =>
  `${one.vendor} ${one.id}`.localeCompare(`${other.vendor} ${other.id}`);

/** The vendors' credentials over all workers. The credentials themselves are nowhere. */
export function ChannelsPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const columns = useColumns();
  const followed = useFollowed<{ readonly data: readonly Channel[] }>('/admin/channels');
  const channels = useMemo(() => [...(followed.data?.data ?? [])].sort(byVendor), [followed.data]);
  const { sorted, sorting } = useSorted(channels, columns);
  const close = () => change({ open: undefined });
  return (
    <Page title={t`Channels`} about={<Trans>One row for each credential of a vendor, over all workers.</Trans>}>
      <FollowedView followed={followed}>
        {() =>
          channels.length === 0 ? (
            <Empty title={t`No worker reports a channel`} next={<Trans>Start a worker, or look at System.</Trans>} />
          ) : (
            <DataTable
              label={t`Channels`}
              columns={columns}
              rows={sorted}
              {...sorting}
              rowId={(row) => row.id}
              onOpen={(row) => change({ open: row.id })}
              openId={search.open}
            />
          )
        }
      </FollowedView>
      <Dialog isOpen={search.open !== undefined} onClose={close} place="panel" title={search.open ?? ''}>
        <ChannelPanel channel={channels.find(({ id }) => id === search.open)} />
      </Dialog>
    </Page>
  );
}
