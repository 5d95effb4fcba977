import { withCapability } from '@gateway/catalogue';
import {
  type KeyRecord,
  type StoredVideoTask,
  taskIdOf,
  type VideoGenerationRequest,
  type VideoSubmission,
} from '@gateway/contracts';
import { draftTaskIdOf, parseJsonBody, readVideoRequest, toVideoDraft, type ValidVideoRequest } from '@gateway/intake';
import { Controller, Inject, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import { fingerprintOf } from '../../answer-once/fingerprint.js';
import { readIdempotencyKey } from '../../answer-once/read-idempotency-key.js';
import { EDGE_CONFIG, type EdgeConfig } from '../../edge-config.js';
import { ReadTasks } from '../../follow-tasks/read-tasks.service.js';
import { receivedRequest } from '../../received-request.js';
import { setDialect } from '../../request-context.js';
import { RunOnce } from '../../run-once.service.js';
import { AnswerAtEnd } from './answer-at-end.service.js';
import { HeldAcceptance } from './held-acceptance.js';
import { waitWish } from './wait-wish.js';
import { webhookAddress } from './webhook-address.js';

const ENDPOINT = 'videos.generations';

/** POST /v1/videos/generations: a task is accepted, or, where its client waits, answered once it has ended. */
@Controller('v1/videos/generations')
export class VideosGenerationsController {
  constructor(
    private readonly models: ModelAccess,
    private readonly tasks: ReadTasks,
    private readonly runOnce: RunOnce,
    private readonly answerAtEnd: AnswerAtEnd,
    @Inject(EDGE_CONFIG) private readonly config: EdgeConfig,
  ) {}

  @Post()
  async create(@Req() http: FastifyRequest, @Res() reply: FastifyReply, @Query() query: unknown): Promise<void> {
    const received = receivedRequest(http);
    const { key } = received.caller;
    const { fields: body } = parseJsonBody(http.body);
    const model = withCapability(this.models.resolve(body.model, ENDPOINT, key), 'video');
    setDialect(http, model.dialect);
    const draft = await this.#draft(key, draftTaskIdOf(body, model));
    const work = readVideoRequest(body, model, draft && toVideoDraft(draft));
    const waitMs = waitWish(work.request, query);
    const held = waitMs === undefined ? undefined : new HeldAcceptance();
    const submission: VideoSubmission = {
      ...work.submission,
      schemaVersion: 1,
      taskId: taskIdOf(received.requestId),
      ...this.#webhook(work.request),
      ...(draft?.channelId != null && { channelId: draft.channelId }),
      ...(await idempotencyOf(http)),
    };
    const answerHeaders = filledHeader(work);
    await this.runOnce.run(
      {
        ...received,
        endpoint: ENDPOINT,
        model,
        worstCase: work.worstCase,
        body: Buffer.from(JSON.stringify(submission)),
        sentBody: http.body as Buffer,
        isStream: false,
        outlivesClient: true,
        answerHeaders,
        ...(held !== undefined && { held }),
      },
      reply.headers(answerHeaders),
    );
    if (held !== undefined && waitMs !== undefined) await this.answerAtEnd.answer(held, waitMs, reply);
  }

  async #draft(key: KeyRecord, id: string | undefined): Promise<StoredVideoTask | undefined> {
    return id === undefined ? undefined : this.tasks.find(key, id);
  }

  #webhook({ webhook_url }: VideoGenerationRequest): Pick<VideoSubmission, 'webhookUrl'> {
    if (webhook_url == null) return {};
    return { webhookUrl: webhookAddress(webhook_url, this.config.webhookAllowInsecure) };
  }
}

/** The table of tasks remembers the key too: whatever becomes of Redis, one key makes one task. */
async function idempotencyOf(http: FastifyRequest): Promise<Pick<VideoSubmission, 'idempotency'>> {
  const key = readIdempotencyKey(http.headers);
  if (key === undefined) return {};
  return { idempotency: { key, fingerprint: await fingerprintOf({ endpoint: ENDPOINT, body: http.body as Buffer }) } };
}

const filledHeader = ({ filled }: ValidVideoRequest): Readonly<Record<string, string>> =>
  filled.length === 0 ? {} : { 'x-gateway-filled': filled.join(', ') };
