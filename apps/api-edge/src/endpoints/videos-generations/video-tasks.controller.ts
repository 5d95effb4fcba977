import { Describe } from '@gateway/api-description';
import { type VideoTaskList, type VideoTaskRecord, videoListQuery } from '@gateway/contracts';
import { checkedQuery } from '@gateway/intake';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CancelTask } from '../../follow-tasks/cancel-task.service.js';
import { OpenWaits } from '../../follow-tasks/open-waits.service.js';
import { ReadTasks } from '../../follow-tasks/read-tasks.service.js';
import { StreamEvents } from '../../follow-tasks/stream-events.service.js';
import { callerOf, originOf } from '../../http/request-context.js';
import { beginEventStream, sendHeadOfStream } from '../../relay/begin-event-stream.js';
import { VIDEO_TASKS } from '../descriptions/videos.js';

/** Lists, reads, cancels and follows video tasks. Reads Postgres only: no upstream call, lease or rate limit. */
@Controller('v1/videos/generations')
export class VideoTasksController {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly cancelTask: CancelTask,
    private readonly streamEvents: StreamEvents,
    private readonly waits: OpenWaits,
  ) {}

  @Describe(VIDEO_TASKS.list)
  @Get()
  async list(@Req() http: FastifyRequest, @Query() query: unknown): Promise<VideoTaskList> {
    return this.tasks.list(callerOf(http).key, checkedQuery(videoListQuery, query), originOf(http));
  }

  @Describe(VIDEO_TASKS.get)
  @Get(':id')
  async get(@Req() http: FastifyRequest, @Param('id') id: string): Promise<VideoTaskRecord> {
    return this.tasks.record(await this.tasks.find(callerOf(http).key, id), originOf(http));
  }

  /** The task and its receipt stay: they say what was charged. */
  @Describe(VIDEO_TASKS.remove)
  @Delete(':id/media')
  async deleteMedia(@Req() http: FastifyRequest, @Param('id') id: string) {
    const deleted = await this.tasks.deleteMedia(callerOf(http).key, id);
    return { id, object: 'video.media', deleted };
  }

  /** Returns the task with the outcome of its cancellation. A task that continues may still cost its hold. */
  @Describe(VIDEO_TASKS.cancel)
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const { key } = callerOf(http);
    const task = await this.waits.runOrNow(reply, (signal) => this.cancelTask.cancel(key, id, signal));
    reply.code(200).send(this.tasks.record(task, originOf(http)));
  }

  /**
   * The task's events as server-sent events, until it has ended. `Last-Event-ID` resumes a broken stream. 204 after the
   * last event: only this status makes an `EventSource` stop (HTML, 9.2.3).
   */
  @Describe(VIDEO_TASKS.events)
  @Get(':id/events')
  async events(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Param('id') id: string): Promise<void> {
    const { key } = callerOf(http);
    const task = await this.tasks.find(key, id);
    const header = http.headers['last-event-id'];
    const seen = typeof header === 'string' && header !== '' ? header : null;
    if (await this.streamEvents.hasSeenAll(task, seen)) {
      reply.code(204).send();
      return;
    }
    if (sendHeadOfStream(reply)) return;
    await this.waits.run(reply, async (signal) => {
      beginEventStream(reply);
      reply.raw.flushHeaders();
      await this.streamEvents.write({ key, task, response: reply.raw, signal }, seen);
      reply.raw.end();
    });
  }
}
