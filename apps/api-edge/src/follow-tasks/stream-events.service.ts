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
import { beginHeartbeat } from '../http/begin-heartbeat.js';
import { EDGE_CONFIG, type EdgeConfig, LOGGER } from '../tokens.js';
import { ReadTasks } from './read-tasks.service.js';
import { TaskChanges } from './task-changes.service.js';

const PAGE = 100;
const LAST_TYPES: ReadonlySet<string> = new Set(FINAL_VIDEO_TASK_STATUSES.map((status) => `video.task.${status}`));

/** Renders a server-sent event with the id and body of the corresponding webhook. */
const renderEvent = (event: AccountEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${renderWebhookBody(event)}\n\n`;

/** A client that follows the events of one task. */
export interface EventSubscriber {
  readonly key: KeyRecord;
  readonly task: StoredVideoTask;
  readonly response: ServerResponse;
  /** Aborts when nothing more may be written. */
  readonly signal: AbortSignal;
}

/** Writes a task's events as server-sent events, from the client's last one to the task's last one. */
@Injectable()
export class StreamEvents {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly changes: TaskChanges,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** True if the task has ended and its client has seen the last event: a stream could only be empty. */
  async hasSeenAll(task: StoredVideoTask, lastEventId: string | null): Promise<boolean> {
    if (lastEventId === null || !isFinalVideoTask(task.state)) return false;
    return (await this.tasks.eventsAfter(task, lastEventId, 1)).length === 0;
  }

  /**
   * Resolves when all events of an ended task are written, when the signal aborts, or when events cannot be read. A client
   * that misses the end reconnects and resumes after its last event.
   */
  async write(subscriber: EventSubscriber, lastEventId: string | null): Promise<void> {
    const { response, signal, task } = subscriber;
    const heartbeat = beginHeartbeat(response, this.config.responseLimits.heartbeatMs);
    try {
      let seen = lastEventId;
      let isOver = false;
      while (!isOver && !signal.aborted) ({ seen, isOver } = await this.#writePage(subscriber, seen));
    } catch (error) {
      if (!signal.aborted) this.logger.warn({ err: error, taskId: task.taskId }, 'event stream failed');
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #writePage({ key, task, response, signal }: EventSubscriber, after: string | null) {
    const change = this.changes.next(task.taskId, signal);
    // State and event change in one statement, so reading the state first cannot miss the last event.
    const { state } = await this.tasks.find(key, task.taskId);
    const events = await this.tasks.eventsAfter(task, after, PAGE);
    for (const event of events) {
      if (!response.write(renderEvent(event))) await once(response, 'drain', { signal });
    }
    const isLastPage = events.length < PAGE;
    const isOver = events.some(({ type }) => LAST_TYPES.has(type)) || (isLastPage && isFinalVideoTask(state));
    if (!isOver && isLastPage) await change;
    return { seen: events.at(-1)?.id ?? after, isOver };
  }
}
