import type { VideoTask } from '../../../tasks/video-task.js';
import type { IncomingRequest } from '../../vendor-emulator.js';
import { invalidParameter } from '../ark-errors.js';
import type { ArkTaskSpec } from './ark-task-spec.js';

type Task = VideoTask<ArkTaskSpec>;

const DEFAULT_PAGE_SIZE = 10;
const MAX_PAGE = 500;

function readCount(query: IncomingRequest['query'], name: string, fallback: number): number {
  const count = Number(query[name] ?? fallback);
  if (!Number.isInteger(count) || count < 1 || count > MAX_PAGE) {
    throw invalidParameter(name, `must be between 1 and ${MAX_PAGE}`);
  }
  return count;
}

export interface TaskQuery {
  readonly total: number;
  readonly tasks: readonly Task[];
}

/** The page of those tasks that a query asks for. `filter.task_ids` may be given several times. */
export function readPage(tasks: readonly Task[], query: IncomingRequest['query']): TaskQuery {
  const [page, size] = [readCount(query, 'page_num', 1), readCount(query, 'page_size', DEFAULT_PAGE_SIZE)];
  const ids = [query['filter.task_ids']].flat().filter((id) => id !== undefined);
  const resolved: readonly (readonly [string | undefined, (task: Task) => string])[] = [
    [query['filter.status'], (task) => task.state],
    [query['filter.model'], (task) => task.spec.model],
    [query['filter.service_tier'], (task) => task.spec.serviceTier],
  ];
  const found = tasks.filter(
    (task) =>
      (ids.length === 0 || ids.includes(task.id)) &&
      resolved.every(([value, of]) => value === undefined || of(task) === value),
  );
  return { total: found.length, tasks: found.slice((page - 1) * size, page * size) };
}
