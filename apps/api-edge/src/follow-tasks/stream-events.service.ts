import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  type AccountEvent,
  FINAL_VIDEO_TASK_STATUSES,
  isFinalVideoTask,
  type KeyRecord,
  renderWebhookBody,
  type StoredVideoTask,
} from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { Inject, Injectable } from '@nestjs/common';
import { EDGE_CONFIG, type EdgeConfig } from '../edge-config.js';
import { LOGGER } from '../observability-doors.js';
import { ReadTasks } from './read-tasks.service.js';
import { TaskChanges } from './task-changes.service.js';

const PAGE = 100;
const KEEP_ALIVE = ': keep-alive\n\n';
const LAST_TYPES: ReadonlySet<string> = new Set(FINAL_VIDEO_TASK_STATUSES.map((status) => `video.task.${status}`));

/** One event of the account's log as an event of a stream: the same id and body as its webhook. */
const eventText = (event: AccountEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${renderWebhookBody(event)}\n\n`;

/** Somebody who stays to hear what happens to a task. */
export interface EventListener {
  readonly key: KeyRecord;
  readonly task: StoredVideoTask;
  readonly response: ServerResponse;
  /** Aborts when nothing more is to be written. */
  readonly signal: AbortSignal;
}

/** Writes what happens to a task as server-sent events, from the one that the client saw last to the one that ends it. */
@Injectable()
export class StreamEvents {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly changes: TaskChanges,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Resolves when the task has ended and all has been written, when the signal aborts, or when the events cannot be read:
   * a client that misses the end comes back and goes on behind the last event that it has.
   */
  async write(listener: EventListener, lastEventId: string | null): Promise<void> {
    const { response, signal, task } = listener;
    const beat = setInterval(() => response.write(KEEP_ALIVE), this.config.answerLimits.heartbeatMs);
    try {
      let seen = lastEventId;
      let isOver = false;
      while (!isOver && !signal.aborted) ({ seen, isOver } = await this.#writePage(listener, seen));
    } catch (error) {
      if (!signal.aborted) this.logger.warn({ err: error, taskId: task.taskId }, 'a stream of events breaks off');
    } finally {
      clearInterval(beat);
    }
  }

  async #writePage({ key, task, response, signal }: EventListener, after: string | null) {
    const change = this.changes.next(task.taskId, signal);
    // The end of a task and its event are one change: whoever sees the one afterwards sees the other.
    const { state } = await this.tasks.find(key, task.taskId);
    const events = await this.tasks.eventsAfter(task, after, PAGE);
    for (const event of events) {
      if (!response.write(eventText(event))) await once(response, 'drain', { signal });
    }
    const isWhole = events.length < PAGE;
    const isOver = events.some(({ type }) => LAST_TYPES.has(type)) || (isWhole && isFinalVideoTask(state));
    if (!isOver && isWhole) await change;
    return { seen: events.at(-1)?.id ?? after, isOver };
  }
}
