import { type CatalogueModel, withCapability } from '@gateway/catalogue';
import {
  type KeyRecord,
  type StoredVideoTask,
  taskIdOf,
  type VideoGenerationRequest,
  type VideoSubmission,
} from '@gateway/contracts';
import { draftTaskIdOf, isLongJson, parseJsonBody, toVideoDraft, validateVideoRequest } from '@gateway/intake';
import { Controller, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { ReadTasks } from '../../follow-tasks/read-tasks.service.js';
import { readPreference, readRetainSeconds } from '../../http/read-preference.js';
import { receivedRequest } from '../../http/received-request.js';
import { setModel } from '../../http/request-context.js';
import { fingerprintOf } from '../../idempotency/fingerprint.js';
import { readIdempotencyKey } from '../../idempotency/read-idempotency-key.js';
import { RunOnce } from '../../run-once.service.js';
import { EDGE_CONFIG, type EdgeConfig } from '../../tokens.js';
import { LongJson } from '../long-json.service.js';
import { BufferedAcceptance } from './buffered-acceptance.js';
import { parseWait } from './parse-wait.js';
import { RespondAtEnd } from './respond-at-end.service.js';
import { validateWebhookUrl } from './validate-webhook-url.js';

const ENDPOINT = 'videos.generations';

/** POST /v1/videos/generations: accepts a task. If the client waits, responds once the task has ended. */
@Controller('v1/videos/generations')
export class VideosGenerationsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly tasks: ReadTasks,
    private readonly runOnce: RunOnce,
    private readonly respondAtEnd: RespondAtEnd,
    private readonly longJson: LongJson,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Query() query: unknown): Promise<void> {
    const received = receivedRequest(http);
    const { key } = received.caller;
    const isLong = isLongJson(http.body);
    const { fields: body, bytes } = isLong ? await this.longJson.parse(http.body as Buffer) : parseJsonBody(http.body);
    const model = withCapability(this.models.resolve(body.model, ENDPOINT, key), 'video');
    setModel(http, reply, model);
    const draft = await this.#draft(key, draftTaskIdOf(body, model));
    const video = validateVideoRequest(body, model, draft && toVideoDraft(draft));
    const waitMs = parseWait(video.request, query) ?? (readPreference(http.headers, false)?.waitMs || undefined);
    const retainSeconds = readRetainSeconds(http.headers);
    const buffered = waitMs === undefined ? undefined : new BufferedAcceptance();
    const submission: VideoSubmission = {
      ...video.submission,
      schemaVersion: 1,
      taskId: taskIdOf(received.requestId),
      ...this.#webhook(video.request),
      ...(retainSeconds !== undefined && { retainSeconds }),
      ...(draft?.channelId != null && { channelId: draft.channelId }),
      ...(await idempotencyOf(http, model, bytes)),
    };
    await this.runOnce.run(
      {
        ...received,
        endpoint: ENDPOINT,
        model,
        worstCase: video.worstCase,
        body: isLong ? await this.longJson.encode(submission) : Buffer.from(JSON.stringify(submission)),
        clientBody: bytes,
        isStream: false,
        abortContract: 'completes',
        outlivesClient: true,
        changes: video.changes,
        ...(buffered !== undefined && { buffered }),
      },
      reply,
    );
    if (buffered !== undefined && waitMs !== undefined) await this.respondAtEnd.respond(buffered, waitMs, reply);
  }

  async #draft(key: KeyRecord, id: string | undefined): Promise<StoredVideoTask | undefined> {
    return id === undefined ? undefined : this.tasks.find(key, id);
  }

  #webhook({ webhook_url }: VideoGenerationRequest): Pick<VideoSubmission, 'webhookUrl'> {
    if (webhook_url == null) return {};
    return { webhookUrl: validateWebhookUrl(webhook_url, this.config.webhookAllowInsecure) };
  }
}

/** Postgres stores the key with the task: one key creates one task, even if Redis loses its record. */
async function idempotencyOf(
  http: FastifyRequest,
  model: CatalogueModel,
  body: Buffer,
): Promise<Pick<VideoSubmission, 'idempotency'>> {
  const key = readIdempotencyKey(http.headers);
  if (key === undefined) return {};
  return { idempotency: { key, fingerprint: await fingerprintOf({ endpoint: ENDPOINT, model, body }) } };
}
