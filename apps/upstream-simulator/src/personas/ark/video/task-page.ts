import type { VideoTask } from '../../../tasks/video-task.js';
import type { Received } from '../../persona.js';
import { invalidParameter } from '../ark-errors.js';
import type { ArkOrder } from './ark-order.js';

type Task = VideoTask<ArkOrder>;

const USUAL_PAGE_SIZE = 10;
const LARGEST_PAGE = 500;

function readCount(query: Received['query'], name: string, usual: number): number {
  const count = Number(query[name] ?? usual);
  if (!Number.isInteger(count) || count < 1 || count > LARGEST_PAGE) {
    throw invalidParameter(name, `must be between 1 and ${LARGEST_PAGE}`);
  }
  return count;
}

export interface TaskQuery {
  readonly total: number;
  readonly tasks: readonly Task[];
}

/** The page of those tasks that a query asks for. `filter.task_ids` may be given several times. */
export function readPage(tasks: readonly Task[], query: Received['query']): TaskQuery {
  const [page, size] = [readCount(query, 'page_num', 1), readCount(query, 'page_size', USUAL_PAGE_SIZE)];
  const ids = [query['filter.task_ids']].flat().filter((id) => id !== undefined);
  const wanted: readonly (readonly [string | undefined, (task: Task) => string])[] = [
    [query['filter.status'], (task) => task.state],
    [query['filter.model'], (task) => task.order.model],
    [query['filter.service_tier'], (task) => task.order.serviceTier],
  ];
  const found = tasks.filter(
    (task) =>
      (ids.length === 0 || ids.includes(task.id)) &&
      wanted.every(([value, of]) => value === undefined || of(task) === value),
  );
  return { total: found.length, tasks: found.slice((page - 1) * size, page * size) };
}
