import { BadRequestException, Controller, Get, Query } from '@nestjs/common';
import { Journal, type JournalLine } from '../journal/journal.js';
import { ReceivedRequests } from '../journal/received-requests.js';
import { TaskStores } from '../tasks/task-stores.js';

const MAX_WAIT_MS = 10_000;

const readSince = (since: string | undefined): number => {
  const seq = Number(since ?? 0);
  if (!Number.isInteger(seq) || seq < 0) throw new BadRequestException('since must be a whole number');
  return seq;
};

@Controller()
export class JournalController {
  constructor(
    private readonly journal: Journal,
    private readonly requests: ReceivedRequests,
    private readonly tasks: TaskStores,
  ) {}

  @Get('__journal')
  async read(
    @Query('since') since?: string,
    @Query('wait_idle') waitIdle?: string,
    @Query('wait_tasks') waitTasks?: string,
  ): Promise<{ entries: JournalLine[]; last_seq: number }> {
    const from = readSince(since);
    if (waitIdle === 'true' || waitIdle === '1') await this.journal.untilIdle(MAX_WAIT_MS);
    if (waitTasks === 'true' || waitTasks === '1') await this.tasks.untilEnded(MAX_WAIT_MS);
    return { entries: this.journal.since(from), last_seq: this.journal.lastSeq };
  }

  @Get('__requests')
  incoming(@Query('since') since?: string): { requests: object[] } {
    return { requests: this.requests.since(readSince(since)) };
  }
}
