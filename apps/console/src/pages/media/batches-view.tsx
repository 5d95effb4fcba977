import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { BATCH_STATUSES, type Batch, isOpenBatch } from '../../api/media.js';
import { usePolledRows } from '../../api/polled.js';
import { type Column, ICON_TRACK, TIME_TRACK } from '../../parts/data-table.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { useOpenRow } from '../../parts/use-open-row.js';
import { BatchPanel } from './batch-panel.jsx';
import { BatchProgress } from './batch-progress.jsx';
import { BatchState, useBatchWords } from './batch-status.jsx';
import { KeptList } from './kept-list.jsx';
import { useListSearch } from './use-list-search.js';

const PATH = '/account/batches';
const FILTERS = ['status', 'test'];
const PROGRESS_MS = 3_000;

function useColumns(): readonly Column<Batch>[] {
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
        width: '9rem',
        narrowWidth: ICON_TRACK,
        cell: (row) => <BatchState batch={row} isShort />,
      },
      { id: 'endpoint', title: t`Endpoint`, width: 'minmax(9rem,1fr)', isExtra: true, cell: (row) => row.endpoint },
      {
        id: 'lines',
        title: t`Lines`,
        width: 'minmax(9rem,14rem)',
        narrowWidth: '1fr',
        cell: (row) => <BatchProgress batch={row} />,
      },
      {
        id: 'cost',
        title: t`Cost`,
        width: '7rem',
        narrowWidth: '6.5rem',
        isNumber: true,
        cell: (row) => <Amount usd={row.cost_usd} />,
      },
      {
        id: 'budget',
        title: t`Budget`,
        width: '6rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => (row.max_cost_usd === null ? '—' : <Amount usd={row.max_cost_usd} />),
      },
    ],
    [t],
  );
}

/** Batches of both formats, with how far each is and what it has cost. */
export function BatchesView() {
  const { t } = useLingui();
  const words = useBatchWords();
  const search = useListSearch('batches', FILTERS);
  const columns = useColumns();
  const everyWhileOpen = (batches: readonly Batch[]) => batches.some(isOpenBatch) && PROGRESS_MS;
  const list = usePolledRows<Batch>(PATH, search.filter, everyWhileOpen);
  const opened = useOpenRow(list, search.open, ({ id }) => id);
  return (
    <div className="flex flex-col gap-4">
      {opened.isMissing && <MissingRow id={search.open} onClose={() => search.show(undefined)} />}
      <KeptList
        label={t`Batches`}
        path={PATH}
        list={list}
        columns={columns}
        search={search}
        choice={{
          name: 'status',
          label: t`Status`,
          any: t`Any status`,
          choices: BATCH_STATUSES.map((value) => ({ value, label: words[value] })),
        }}
        empty={{
          filtered: t`No batch matches`,
          title: t`No batches yet`,
          next: <Trans>Send up to 50,000 requests at once to /v1/batches or /v1/messages/batches.</Trans>,
        }}
      />
      <BatchPanel batch={opened.row} onClose={() => search.show(undefined)} />
    </div>
  );
}
