import { isLongJson, parseJsonBody } from '@gateway/intake';
import { Controller, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readPreference } from '../../http/read-preference.js';
import { callerOf } from '../../http/request-context.js';
import { LongJson } from '../long-json.service.js';
import { BufferedAcceptance } from './buffered-acceptance.js';
import { parseWait } from './parse-wait.js';
import { RespondAtEnd } from './respond-at-end.service.js';
import { SubmitVideo } from './submit-video.service.js';

/** POST /v1/videos/generations: accepts a task. If the client waits, responds once the task has ended. */
@Controller('v1/videos/generations')
export class VideosGenerationsController {
  constructor(
    private readonly videos: SubmitVideo,
    private readonly respondAtEnd: RespondAtEnd,
    private readonly longJson: LongJson,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Query() query: unknown): Promise<void> {
    const caller = callerOf(http);
    const isLong = isLongJson(http.body);
    const { fields: body, bytes } = isLong ? await this.longJson.parse(http.body as Buffer) : parseJsonBody(http.body);
    const model = this.videos.modelOf(body.model, http, reply);
    const video = await this.videos.validate(model, { body, clientBody: bytes, isLong }, caller);
    const waitMs = parseWait(video.valid.request, query) ?? (readPreference(http.headers, false)?.waitMs || undefined);
    const buffered = waitMs === undefined ? undefined : new BufferedAcceptance();
    await this.videos.submit(video, reply, buffered);
    if (buffered !== undefined && waitMs !== undefined) await this.respondAtEnd.respond(buffered, waitMs, reply);
  }
}
