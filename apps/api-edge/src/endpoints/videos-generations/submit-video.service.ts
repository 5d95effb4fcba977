import { type CatalogueModel, type ModelWithCapability, withCapability } from '@gateway/catalogue';
import {
  ENDPOINTS,
  taskIdOf,
  VIDEOS_PATH,
  type VideoGenerationRequest,
  type VideoSubmission,
} from '@gateway/contracts';
import { draftTaskIdOf, toVideoDraft, type ValidVideoRequest, validateVideoRequest } from '@gateway/intake';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ModelAccess } from '../../admit/model-access.service.js';
import type { KeyCaller } from '../../edge-request.js';
import { ReadTasks } from '../../follow-tasks/read-tasks.service.js';
import { readRetainSeconds } from '../../http/read-preference.js';
import { receivedRequest } from '../../http/received-request.js';
import { callerOf, setModel } from '../../http/request-context.js';
import { fingerprintOf } from '../../idempotency/fingerprint.js';
import { readIdempotencyKey } from '../../idempotency/read-idempotency-key.js';
import { RunOnce } from '../../run-once.service.js';
import { EDGE_CONFIG, type EdgeConfig } from '../../tokens.js';
import { LongJson } from '../long-json.service.js';
import type { BufferedAcceptance } from './buffered-acceptance.js';
import { validateWebhookUrl } from './validate-webhook-url.js';

const ENDPOINT = 'videos.generations';

export type VideoModel = ModelWithCapability<'video'>;

/** A video as its client asks for it. */
export interface RequestedVideo {
  /** In the format of the model's family. */
  readonly body: Record<string, unknown>;
  /** The client's own bytes, for the fingerprint of an idempotency key. */
  readonly clientBody: Buffer;
  /** A long body is written outside the event loop. */
  readonly isLong: boolean;
}

/** A valid video of a model. */
export interface SubmittableVideo {
  readonly model: VideoModel;
  readonly requested: RequestedVideo;
  readonly valid: ValidVideoRequest;
  /** Where its draft was made. */
  readonly channelId: string | undefined;
}

/** The spine of a video: validate, then run the submission of its task. */
@Injectable()
export class SubmitVideo {
  constructor(
    private readonly models: ModelAccess,
    private readonly tasks: ReadTasks,
    private readonly runOnce: RunOnce,
    private readonly longJson: LongJson,
    @Inject(EDGE_CONFIG) private readonly config: Pick<EdgeConfig, 'webhookAllowInsecure'>,
  ) {}

  /** Throws a 400 or 403 for a name that the key may not use for videos. `bodyOf`: whose form the client's body has. */
  modelOf(
    name: unknown,
    http: FastifyRequest,
    reply: FastifyReply,
    bodyOf: 'family' | 'endpoint' = 'family',
  ): VideoModel {
    const path = bodyOf === 'endpoint' ? VIDEOS_PATH : ENDPOINTS[ENDPOINT].path;
    const model = withCapability(this.models.resolve(name, ENDPOINT, callerOf(http).key, path), 'video');
    setModel(http, reply, model, bodyOf);
    return model;
  }

  /** Throws a 400 that names the field, and 404 for a draft that is not there. */
  async validate(model: VideoModel, requested: RequestedVideo, { key }: KeyCaller): Promise<SubmittableVideo> {
    const draftId = draftTaskIdOf(requested.body, model);
    const draft = draftId === undefined ? undefined : await this.tasks.find(key, draftId);
    const valid = validateVideoRequest(requested.body, model, draft && toVideoDraft(draft));
    return { model, requested, valid, channelId: draft?.channelId ?? undefined };
  }

  /** Responds with the acceptance, which `buffered` may keep back, or with the error of the submission. */
  async submit(
    { model, requested: { clientBody, isLong }, valid, channelId }: SubmittableVideo,
    reply: FastifyReply,
    buffered: BufferedAcceptance | undefined,
  ): Promise<void> {
    const http = reply.request;
    const received = receivedRequest(http);
    const retainSeconds = readRetainSeconds(http.headers);
    const submission: VideoSubmission = {
      ...valid.submission,
      schemaVersion: 1,
      taskId: taskIdOf(received.requestId),
      ...this.#webhook(valid.request),
      ...(retainSeconds !== undefined && { retainSeconds }),
      ...(channelId !== undefined && { channelId }),
      ...(await idempotencyOf(http, model, clientBody)),
    };
    await this.runOnce.run(
      {
        ...received,
        endpoint: ENDPOINT,
        model,
        worstCase: valid.worstCase,
        body: isLong ? await this.longJson.encode(submission) : Buffer.from(JSON.stringify(submission)),
        clientBody,
        isStream: false,
        abortContract: 'completes',
        outlivesClient: true,
        changes: valid.changes,
        ...(buffered !== undefined && { buffered }),
      },
      reply,
    );
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
