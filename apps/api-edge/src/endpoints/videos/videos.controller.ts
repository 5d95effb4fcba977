import { Describe } from '@gateway/api-description';
import {
  GatewayError,
  isGatewayError,
  type StoredVideoTask,
  type VideoRecord,
  type VideoSubmissionResponse,
  videoContentQuery,
  videosQuery,
} from '@gateway/contracts';
import { checkedQuery, inClientNames, pixelSizeOf, toVideoGeneration } from '@gateway/intake';
import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadTasks } from '../../follow-tasks/read-tasks.service.js';
import { callerOf } from '../../http/request-context.js';
import { VIDEOS } from '../descriptions/videos.js';
import { SendContent } from '../files/send-content.service.js';
import { LongJson } from '../long-json.service.js';
import { BufferedAcceptance } from '../videos-generations/buffered-acceptance.js';
import { type SubmittableVideo, SubmitVideo } from '../videos-generations/submit-video.service.js';
import { FetchedFiles } from './fetched-files.service.js';
import { ReadCreation, type ReceivedVideo } from './read-creation.service.js';
import { videoRecord, videoStatusOf } from './video-record.js';

/** /v1/videos: the video tasks in the form of OpenAI's libraries. */
@Controller('v1/videos')
export class VideosController {
  constructor(
    private readonly videos: SubmitVideo,
    private readonly tasks: ReadTasks,
    private readonly creations: ReadCreation,
    private readonly longJson: LongJson,
    private readonly files: FetchedFiles,
    private readonly content: SendContent,
  ) {}

  @Describe(VIDEOS.create)
  @Post()
  @HttpCode(200)
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const received = await this.creations.read(http, reply);
    const video = await this.#validate(received, http);
    const buffered = new BufferedAcceptance();
    await this.videos.submit(video, reply, buffered);
    const { text } = buffered;
    // Else the client has got the error of the submission.
    if (text === undefined) return;
    const accepted = JSON.parse(text) as VideoSubmissionResponse;
    reply
      .code(200)
      .header('x-held-usd', accepted.cost.held_usd)
      .send(acceptedRecord(accepted, video, received.creation.prompt));
  }

  @Describe(VIDEOS.list)
  @Get()
  async list(@Req() http: FastifyRequest, @Query() query: unknown) {
    const { key } = callerOf(http);
    const { after, limit, order } = checkedQuery(videosQuery, query);
    const before = after === undefined ? null : await this.#findAfter(key, after);
    const { tasks, last } = await this.tasks.page(key, { limit, order, after: before });
    const data = tasks.map(videoRecord);
    return {
      object: 'list' as const,
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: last !== undefined,
    };
  }

  @Describe(VIDEOS.get)
  @Get(':id')
  async get(@Req() http: FastifyRequest, @Param('id') id: string): Promise<VideoRecord> {
    return videoRecord(await this.tasks.find(callerOf(http).key, id));
  }

  /** The task and its receipt stay: they say what was charged. */
  @Describe(VIDEOS.remove)
  @Delete(':id')
  async delete(@Req() http: FastifyRequest, @Param('id') id: string) {
    await this.tasks.deleteMedia(callerOf(http).key, id);
    return { id, object: 'video.deleted' as const, deleted: true as const };
  }

  /** The bytes that the gateway keeps, else the vendor's address. A fetch that goes on is waited for. */
  @Describe(VIDEOS.content)
  @Get(':id/content')
  async getContent(
    @Req() http: FastifyRequest,
    @Res() reply: FastifyReply,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<void> {
    const { variant } = checkedQuery(videoContentQuery, query);
    if (variant !== 'video') {
      throw new GatewayError('unsupported_value', `'variant': no vendor makes a ${variant}: expected "video".`, {
        param: 'variant',
      });
    }
    const task = await this.tasks.find(callerOf(http).key, id);
    const content = contentOf(task);
    // Who may read the task may read its result.
    const { accountId, isTest } = task;
    const found =
      content.file_id === undefined
        ? undefined
        : await this.files.locate({ accountId, isTest }, content.file_id, reply);
    if (found !== undefined && 'bytes' in found) return this.content.send(found, http, reply);
    reply
      .code(307)
      .headers({ location: found?.sourceUrl ?? content.video_url, 'cache-control': 'no-store' })
      .send();
  }

  async #validate({ model, creation, image, isLong }: ReceivedVideo, http: FastifyRequest): Promise<SubmittableVideo> {
    const body = toVideoGeneration(creation, image, model);
    // The same video is the same request, whatever the boundary of its form.
    const clientBody = isLong ? await this.longJson.encode(body) : Buffer.from(JSON.stringify(body));
    return this.videos.validate(model, { body, clientBody, isLong }, callerOf(http)).catch((error: unknown) => {
      throw isGatewayError(error) ? inClientNames(error) : error;
    });
  }

  async #findAfter(key: Parameters<ReadTasks['find']>[0], id: string): Promise<StoredVideoTask> {
    try {
      return await this.tasks.find(key, id);
    } catch (error) {
      if (!isGatewayError(error) || error.code !== 'not_found') throw error;
      throw new GatewayError('invalid_request', "'after': there is no such video.", { param: 'after' });
    }
  }
}

/** Read from the acceptance: its task may be newer by now. */
const acceptedRecord = (
  { id, model, created_at }: VideoSubmissionResponse,
  { valid: { submission } }: SubmittableVideo,
  prompt: string,
): VideoRecord => ({
  id,
  object: 'video',
  model,
  status: 'queued',
  progress: 0,
  created_at,
  completed_at: null,
  expires_at: null,
  prompt,
  seconds: String(submission.durationSeconds),
  size: pixelSizeOf(submission),
  remixed_from_video_id: null,
  error: null,
});

/** Throws 404 if there is nothing to fetch, and 409 until there is. */
function contentOf({ content, state, publicId }: StoredVideoTask): NonNullable<StoredVideoTask['content']> {
  if (content !== null) return content;
  const status = videoStatusOf(state);
  if (status !== 'failed') {
    throw new GatewayError(
      'request_in_progress',
      `The video ${publicId} is ${status}: poll it until it is completed.`,
      {
        param: 'id',
        retryAfterMs: 2_000,
      },
    );
  }
  throw new GatewayError('not_found', `The video ${publicId} was not made.`, { param: 'id' });
}
