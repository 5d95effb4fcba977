import type { Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { openTaskReader } from '@gateway/postgres';
import { createPollQueue, createVideoQueue, type RedisConnection, subscribeTaskChanges } from '@gateway/redis';
import type { Provider } from '@nestjs/common';
import type { EdgeConfig } from './edge-config.js';
import type { TaskChanges } from './follow-tasks/task-changes.service.js';
import { TASK_DIRECTORY } from './postgres-doors.js';
import { POLL_QUEUES, VIDEO_QUEUES } from './redis-doors.js';

/** What video tasks need outside this process: their table, and the queues of those who work on them. */
export interface VideoDoors {
  readonly providers: readonly Provider[];
  /** Hints reach those who wait here from now on. */
  followTasks(changes: TaskChanges): { close(): void };
  close(): Promise<void>;
}

export async function openVideoDoors(redis: RedisConnection, config: EdgeConfig, logger: Logger): Promise<VideoDoors> {
  const submissions = await openEach(config.vendors, (vendor) => createVideoQueue(redis, vendor));
  const polls = await openEach(config.vendors, (vendor) => createPollQueue(redis, vendor));
  const tasks = openTaskReader({
    databaseUrl: config.databaseUrl,
    poolSize: config.taskPoolSize,
    applicationName: 'api-edge-tasks',
    onError: (error) => logger.warn({ err: error }, 'postgres'),
  });
  return {
    providers: [
      { provide: VIDEO_QUEUES, useValue: submissions },
      { provide: POLL_QUEUES, useValue: polls },
      { provide: TASK_DIRECTORY, useValue: tasks },
    ],
    followTasks: (changes) =>
      subscribeTaskChanges({
        url: config.queueRedisUrl,
        onChange: ({ taskId }) => changes.heard(taskId),
        onError: (error) => logger.warn({ err: error }, 'task changes'),
      }),
    async close() {
      await Promise.all([...submissions.values(), ...polls.values()].map((queue) => queue.close()));
      await tasks.close();
    },
  };
}

async function openEach<Queue>(
  vendors: readonly Vendor[],
  open: (vendor: Vendor) => Promise<Queue>,
): Promise<ReadonlyMap<Vendor, Queue>> {
  return new Map(await Promise.all(vendors.map(async (vendor) => [vendor, await open(vendor)] as const)));
}
