import { Describe } from '@gateway/api-description';
import type { ProcessReport } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type Database, listOpenTasks, type OpenTaskRecord } from '@gateway/postgres';
import { ChannelBoard, type QueueDepth, type QueueReader } from '@gateway/redis';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { decodePlace, encodePlace, readPage } from '../http/cursor.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { DATABASE, QUEUE_READER } from '../tokens.js';
import { BACKLOG, type OpenTaskView, type QueueView, taskListing } from './backlog.description.js';

/** The slots of every process that takes from a queue. Null: no process reports any. */
function slotsOf({ kind, vendor }: QueueDepth, processes: readonly ProcessReport[]): QueueView['slots'] {
  const slots = processes.flatMap((one) => one.slots).filter((one) => one.kind === kind && one.vendor === vendor);
  if (slots.length === 0) return null;
  return slots.reduce(
    (sum, one) => ({
      size: sum.size + one.size,
      active: sum.active + one.active,
      waiting: sum.waiting + one.waiting,
    }),
    { size: 0, active: 0, waiting: 0 },
  );
}

const queueView = ({ oldestWaitMs, ...queue }: QueueDepth, processes: readonly ProcessReport[]): QueueView => ({
  ...queue,
  oldest_wait_seconds: oldestWaitMs === null ? null : oldestWaitMs / 1_000,
  slots: slotsOf({ ...queue, oldestWaitMs }, processes),
});

const taskView = (task: OpenTaskRecord): OpenTaskView => ({
  id: task.id,
  request_id: task.requestId,
  account_id: task.accountId,
  model: task.model,
  vendor: task.vendor,
  status: task.state,
  channel_id: task.channelId,
  upstream_task_id: task.upstreamTaskId,
  hold_usd: formatUsd(task.holdNanoUsd),
  created_at: task.createdAt.toISOString(),
  expires_at: task.expiresAt.toISOString(),
  next_poll_at: task.nextPollAt?.toISOString() ?? null,
  poll_failures: task.pollFailures,
  problems: [...task.problems],
});

/** What waits and what runs, of all accounts. The pages of the queues are at `/admin/queues`. */
@Controller('admin')
export class BacklogController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(QUEUE_READER) private readonly queues: QueueReader,
    private readonly board: ChannelBoard,
  ) {}

  @Describe(BACKLOG.queues)
  @AllowAdmin()
  @Followable()
  @Get('queue-depths')
  async depths() {
    const [queues, processes] = await Promise.all([this.queues.read(), this.board.processes()]);
    return { data: queues.map((queue) => queueView(queue, processes)), next_cursor: null };
  }

  @Describe(BACKLOG.tasks)
  @AllowAdmin()
  @Followable()
  @Get('tasks')
  async tasks(@Query() query: unknown) {
    const { limit, cursor, problem, vendor, account_id: accountId, channel_id: channelId } = parse(taskListing, query);
    const place = decodePlace(cursor, /task_\w{1,40}/);
    const after = place === null ? null : { createdAt: new Date(place.atMs), id: place.id };
    const filter = { problem, vendor, accountId, channelId };
    const { rows, next_cursor } = await readPage(
      limit,
      (count) => listOpenTasks(this.database, { ...filter, after, limit: count }),
      ({ createdAt, id }) => encodePlace({ atMs: createdAt.getTime(), id }),
    );
    return { data: rows.map(taskView), next_cursor };
  }
}
