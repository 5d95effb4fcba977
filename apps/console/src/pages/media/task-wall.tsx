import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { get } from '../../api/call.js';
import { isRunning, TASK_STATUSES, type Task } from '../../api/media.js';
import { usePolledRows } from '../../api/polled.js';
import { useMay } from '../../api/session.js';
import { buttonClasses } from '../../parts/button.jsx';
import { ExportCsv } from '../../parts/export-csv.jsx';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters.jsx';
import { Empty, Problem, Skeleton } from '../../parts/states.jsx';
import { TaskCard } from './task-card.jsx';
import { TaskPanel } from './task-panel.jsx';
import { useTaskWords } from './task-status.jsx';
import { useListSearch } from './use-list-search.js';

const PATH = '/account/tasks';
const FILTERS = ['status', 'model'];
const PAGE_SIZE = 24;
/** Events announce every change, except the progress that a vendor reports. */
const PROGRESS_MS = 3_000;

const everyWhileRunning = (tasks: readonly Task[]): number | false => tasks.some(isRunning) && PROGRESS_MS;

/** Calls `onEnd` when it comes near the visible part of the page. */
function End({ onEnd }: { readonly onEnd: (() => void) | undefined }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (element.current === null || onEnd === undefined) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onEnd();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [onEnd]);
  return <div ref={element} aria-hidden className="h-px" />;
}

function Wall({ tasks, onOpen }: { readonly tasks: readonly Task[]; readonly onOpen: (id: string) => void }) {
  const { t } = useLingui();
  return (
    <ul aria-label={t`Videos`} className="grid grid-cols-[repeat(auto-fill,minmax(16rem,1fr))] gap-4">
      {tasks.map((task) => (
        <TaskCard key={task.request_id} task={task} onOpen={() => onOpen(task.id)} />
      ))}
    </ul>
  );
}

/** The open task: from the list, or read by itself when the address names one that is not loaded. */
function useOpenTask(id: string | undefined, tasks: readonly Task[] | undefined) {
  const listed = tasks?.find((task) => task.id === id);
  const { data, error } = useQuery({
    queryKey: ['task', id],
    queryFn: ({ signal }) => get<Task>(`${PATH}/${encodeURIComponent(id ?? '')}`, {}, signal),
    enabled: id !== undefined && tasks !== undefined && listed === undefined,
  });
  return { task: listed ?? data, error };
}

function NoVideo() {
  const { t } = useLingui();
  const mayMake = useMay('developer');
  return (
    <Empty
      title={t`No videos yet`}
      next={
        <Trans>Send a request to /v1/videos/generations. It appears here at once, and plays when it is ready.</Trans>
      }
      action={
        mayMake && (
          <Link to="/playground" search={{ kind: 'video' } as never} className={buttonClasses('plain', 'mt-2')}>
            <Trans>Make a video in the playground</Trans>
          </Link>
        )
      }
    />
  );
}

/** All video tasks, the newest first. */
export function TaskWall() {
  const { t } = useLingui();
  const words = useTaskWords();
  const { filter, isFiltered, open, set, clear, show } = useListSearch('tasks', FILTERS);
  const query = { ...filter, limit: PAGE_SIZE };
  const { rows: tasks, error, retry, loadMore } = usePolledRows<Task>(PATH, query, everyWhileRunning);
  const opened = useOpenTask(open, tasks);
  return (
    <div className="flex flex-col gap-4">
      <Filters isFiltered={isFiltered} onClear={clear} end={<ExportCsv path={PATH} query={filter} />}>
        <ChoiceFilter
          label={t`Status`}
          any={t`Any status`}
          value={filter.status}
          onValue={set('status')}
          choices={TASK_STATUSES.map((value) => ({ value, label: words[value] }))}
        />
        <TextFilter label={t`Model`} value={filter.model} onValue={set('model')} />
      </Filters>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {tasks === undefined && error === null && <Skeleton rows={8} />}
      {tasks?.length === 0 && isFiltered && (
        <Empty title={t`No task matches`} next={<Trans>Change the filters, or clear them.</Trans>} />
      )}
      {tasks?.length === 0 && !isFiltered && <NoVideo />}
      {tasks !== undefined && tasks.length > 0 && <Wall tasks={tasks} onOpen={show} />}
      <End onEnd={loadMore} />
      <TaskPanel id={open} task={opened.task} error={opened.error} onClose={() => show(undefined)} />
    </div>
  );
}
