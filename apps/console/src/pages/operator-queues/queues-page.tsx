import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowed } from '../../api/followed.js';
import type { QueueDepth } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { duration } from '../../format/time.js';
import { useAddress } from '../../parts/address.js';
import { CellLink } from '../../parts/cell-link.jsx';
import { type Column, DataTable } from '../../parts/data-table.jsx';
import { FollowedView } from '../../parts/followed-view.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { Switch } from '../../parts/switch.jsx';
import { useSorted } from '../../parts/use-sorted.js';

function useKinds(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return useMemo(
    () => ({
      sync: t`Requests`,
      video: t`New videos`,
      'sync-test': t`Requests of test keys`,
      'video-test': t`Videos of test keys`,
      'video-poll': t`Polls of videos`,
    }),
    [t],
  );
}

function useColumns(): readonly Column<QueueDepth>[] {
  const { t, i18n } = useLingui();
  const kinds = useKinds();
  const { locale } = i18n;
  return useMemo(() => {
    const number = (id: keyof QueueDepth & string, title: string, isExtra = false): Column<QueueDepth> => ({
      id,
      title,
      width: '6rem',
      narrowWidth: '5rem',
      isNumber: true,
      isExtra,
      sortBy: (row) => Number(row[id]),
      cell: (row) => count(Number(row[id]), locale),
    });
    return [
      {
        id: 'vendor',
        title: t`Vendor`,
        sortBy: (row) => row.vendor,
        width: '8rem',
        narrowWidth: '5.5rem',
        cell: (row) => (
          <CellLink to="/operator/channels" search={{ vendor: row.vendor } as never} title={t`Its channels`}>
            {row.vendor}
          </CellLink>
        ),
      },
      {
        id: 'kind',
        title: t`Queue`,
        width: 'minmax(8rem,1fr)',
        narrowWidth: '1fr',
        cell: (row) => kinds[row.kind] ?? row.kind,
      },
      // Its title stands beside the menu of columns on a phone.
      { ...number('waiting', t`Waiting`), narrowWidth: '6rem' },
      {
        id: 'oldest',
        title: t`Oldest waits`,
        sortBy: (row) => row.oldest_wait_seconds,
        width: '7rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => (row.oldest_wait_seconds === null ? '—' : duration(row.oldest_wait_seconds * 1_000, locale)),
      },
      // On a phone the names of the queues need its room: cut, they are the same.
      number('active', t`Running`, true),
      number('delayed', t`Later`, true),
      number('failed', t`Failed`, true),
      {
        id: 'slots',
        title: t`Slots used`,
        width: '8rem',
        isNumber: true,
        isExtra: true,
        cell: ({ slots }) => (slots === null ? '—' : t`${count(slots.active, locale)} of ${count(slots.size, locale)}`),
      },
    ];
  }, [t, locale, kinds]);
}

const isBusy = ({ waiting, active, delayed, failed, slots }: QueueDepth): boolean =>
  waiting + active + delayed + failed > 0 || (slots?.active ?? 0) > 0;

/** What waits and what runs, by vendor. */
export function QueuesPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const columns = useColumns();
  const followed = useFollowed<{ readonly data: readonly QueueDepth[] }>('/admin/queue-depths');
  const isAll = search.all === 'true';
  const queues = useMemo(
    () => (followed.data?.data ?? []).filter((queue) => isAll || isBusy(queue)),
    [followed.data, isAll],
  );
  const { sorted, sorting } = useSorted(queues, columns);
  return (
    <Page
      title={t`Queues`}
      about={<Trans>Work that waits for a worker, and the room that workers have. A vendor opens its channels.</Trans>}
    >
      <Switch
        label={t`Show empty queues`}
        isOn={isAll}
        onChange={(isOn) => change({ all: isOn ? 'true' : undefined })}
      />
      <FollowedView followed={followed}>
        {() =>
          queues.length === 0 ? (
            <Empty
              title={t`Nothing waits and nothing runs`}
              next={<Trans>A row appears with the first request.</Trans>}
            />
          ) : (
            <DataTable
              label={t`Queues`}
              name="operator-queues"
              columns={columns}
              rows={sorted}
              {...sorting}
              rowId={(row) => row.name}
            />
          )
        }
      </FollowedView>
    </Page>
  );
}
