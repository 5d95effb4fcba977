import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { useFollowedRows } from '../../api/followed.js';
import { type OpenTask, TASK_PROBLEMS, type TaskProblem, VENDOR_IDS } from '../../api/operators.js';
import { useAddress, useFilters } from '../../parts/address.js';
import type { Column } from '../../parts/data-table.jsx';
import { Dialog } from '../../parts/dialog.jsx';
import { Amount, Time } from '../../parts/figures.jsx';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { ListView } from '../../parts/list-view.jsx';
import { MissingRow } from '../../parts/missing-row.jsx';
import { Page } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { Status } from '../../parts/status.jsx';
import { useOpenRow } from '../../parts/use-open-row.js';
import { OpenTaskState } from './open-task-state.jsx';
import { TaskFacts } from './task-facts.jsx';

const FILTERS = ['problem', 'vendor', 'account_id'];

function useProblemWords(): Readonly<Record<TaskProblem, string>> {
  const { t } = useLingui();
  return useMemo(() => ({ stuck: t`Stuck`, lost: t`Lost`, overdue: t`Overdue` }), [t]);
}

function useColumns(): readonly Column<OpenTask>[] {
  const { t } = useLingui();
  const words = useProblemWords();
  return useMemo(
    () => [
      {
        id: 'age',
        title: t`Created`,
        width: '9rem',
        narrowWidth: '7.5rem',
        cell: (row) => <Time at={row.created_at} form="relative" />,
      },
      { id: 'model', title: t`Model`, width: 'minmax(9rem,1fr)', narrowWidth: '1fr', cell: (row) => row.model },
      { id: 'vendor', title: t`Vendor`, width: '7rem', isExtra: true, cell: (row) => row.vendor },
      {
        id: 'status',
        title: t`Status`,
        width: '10rem',
        isExtra: true,
        cell: (row) => <OpenTaskState state={row.status} />,
      },
      {
        id: 'problem',
        title: t`Problem`,
        width: '10rem',
        narrowWidth: '6.5rem',
        cell: (row) =>
          row.problems.length === 0 ? (
            <span className="text-muted">{t`none`}</span>
          ) : (
            <Status meaning="failed">{row.problems.map((problem) => words[problem]).join(', ')}</Status>
          ),
      },
      {
        id: 'hold',
        title: t`Held`,
        width: '7rem',
        isNumber: true,
        isExtra: true,
        cell: (row) => <Amount usd={row.hold_usd} />,
      },
    ],
    [t, words],
  );
}

function TaskFilters() {
  const { t } = useLingui();
  const { values, isFiltered, set, clear } = useFilters(FILTERS);
  const words = useProblemWords();
  return (
    <Filters isFiltered={isFiltered} onClear={clear}>
      <ChoiceFilter
        label={t`Problem`}
        any={t`Every open task`}
        value={values.problem}
        onValue={set('problem')}
        choices={TASK_PROBLEMS.map((value) => ({ value, label: words[value] }))}
      />
      <ChoiceFilter
        label={t`Vendor`}
        any={t`Any vendor`}
        value={values.vendor}
        onValue={set('vendor')}
        choices={VENDOR_IDS.map((value) => ({ value, label: value }))}
      />
      <TextFilter label={t`Account id`} value={values.account_id} onValue={set('account_id')} />
    </Filters>
  );
}

/** The open tasks of all accounts, the oldest first. */
export function OperatorTasksPage() {
  const { t } = useLingui();
  const { search, change } = useAddress();
  const columns = useColumns();
  const { values } = useFilters(FILTERS);
  const { open } = search;
  const list = useFollowedRows<OpenTask>('/admin/tasks', values);
  const { row: task, isMissing } = useOpenRow(list, open, ({ id }) => id);
  return (
    <Page
      title={t`Open tasks`}
      about={
        <Trans>
          Stuck: open after its deadline, or submitting for 15 minutes. Lost: no worker knows whether the vendor has it.
          Overdue: its poll was due a minute ago.
        </Trans>
      }
    >
      <TaskFilters />
      {isMissing && <MissingRow id={open} onClose={() => change({ open: undefined })} />}
      <ListView
        list={list}
        label={t`Open tasks`}
        name="operator-tasks"
        columns={columns}
        rowId={(row) => row.id}
        onOpen={(row) => change({ open: row.id })}
        openId={open}
        empty={
          <Empty title={t`No open task matches`} next={<Trans>Tasks of videos appear here until they end.</Trans>} />
        }
      />
      <Dialog isOpen={task !== undefined} onClose={() => change({ open: undefined })} place="panel" title={t`Task`}>
        {task !== undefined && <TaskFacts task={task} />}
      </Dialog>
    </Page>
  );
}
