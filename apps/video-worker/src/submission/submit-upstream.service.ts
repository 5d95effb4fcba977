import { type ModelWithCapability, upstreamNameOf } from '@gateway/catalogue';
import { type AttemptRecord, ChannelFailover, hideCredential, UpstreamRejection } from '@gateway/channels';
import { GatewayError, type UpstreamAttempt, unixSeconds } from '@gateway/contracts';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { VIDEO_PROTOCOLS } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import type { Failpoints } from '../failpoints.js';
import { FAILPOINTS, TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { isSuccess, UpstreamClient } from '../upstream/upstream-client.service.js';
import { classifySubmissionFailure, type SubmissionVerdict } from './classify-submission-failure.js';
import type { ReceivedSubmission, SubmitCall } from './received-submission.js';

/** The lease expired, and another worker has ended this submission. */
class LeaseLost extends Error {}

/** Covers the steps before and after the upstream call. */
const LEASE_SLACK_MS = 5_000;

export type UpstreamSubmission = {
  /** The task as stored last. */
  readonly task: WorkerVideoTask;
  readonly attempts: readonly UpstreamAttempt[];
} & (
  | { readonly kind: 'accepted'; readonly upstreamTaskId: string }
  /** Certainly not accepted. */
  | { readonly kind: 'refused'; readonly error: GatewayError }
  /** Ambiguous: it must not be submitted again. */
  | { readonly kind: 'unknown'; readonly error: GatewayError }
);

/** Submits a task once. It tries another channel only if the first one has certainly not accepted the task. */
@Injectable()
export class SubmitUpstream {
  constructor(
    private readonly channels: ChannelFailover,
    private readonly client: UpstreamClient,
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** The longest time between two stored steps of a submission. After it, the sweep assumes that the worker died. */
  get leaseMs(): number {
    return this.config.submitTimeoutMs + LEASE_SLACK_MS;
  }

  /** Throws the stop's reason, LeaseLost, or a bug. The stored row then shows whether an upstream was called. */
  async submit(
    opened: WorkerVideoTask,
    submission: ReceivedSubmission,
    model: ModelWithCapability<'video'>,
    stop: AbortSignal,
  ): Promise<UpstreamSubmission> {
    let task = opened;
    const attempts: UpstreamAttempt[] = [];
    const { protocol } = model.video;
    const call = callOf(opened, model);
    const { channelId } = submission.facts;
    const upstreamModel = upstreamNameOf(model, this.config.upstreamModelOverrides);
    const result = await this.channels.run<string, SubmissionVerdict>({
      vendor: model.vendor,
      publicModel: model.id,
      upstreamModel,
      accountId: opened.accountId,
      isTest: opened.isTest,
      ...(channelId !== undefined && {
        requiredChannel: { channelId, whenGone: draftNotFound },
      }),
      signal: stop,
      attempts,
      run: async ({ id, baseUrl, credential }, record) => {
        task = await this.#recordChannel(task, id);
        const target = { baseUrl, credential, upstreamModel };
        return this.#post(submission, { protocol, call, target }, record);
      },
      isStillRunning: () => false,
      classifyFailure: (thrown, { status }) => classifySubmissionFailure(thrown, status),
    });
    if ('result' in result) return { kind: 'accepted', task, attempts, upstreamTaskId: result.result };
    const { error, verdict } = result;
    return { kind: verdict?.isAmbiguous === true ? 'unknown' : 'refused', task, attempts, error };
  }

  /** Stores the channel before the call: if this process dies, recovery searches there. */
  async #recordChannel(task: WorkerVideoTask, channelId: string): Promise<WorkerVideoTask> {
    const stored = await this.tasks.recordSubmission(task, channelId, this.leaseMs);
    if (stored === null) throw new LeaseLost(`another worker has claimed task ${task.taskId}`);
    return stored;
  }

  /** Has no abort signal: the outcome of a sent request must be recorded, even if the client has disconnected. */
  async #post(submission: ReceivedSubmission, submit: SubmitCall, record: AttemptRecord): Promise<string> {
    const protocol = VIDEO_PROTOCOLS[submit.protocol];
    const request = await submission.buildSubmit(submit);
    this.failpoints.reach('before-post');
    const response = await this.client.send(request, {
      operation: 'generate_content',
      model: submit.call.publicModel,
      channelId: record.channel,
      timeoutMs: this.config.submitTimeoutMs,
    });
    record.status = response.status;
    if (!isSuccess(response)) {
      const body = hideCredential(response.body, submit.target.credential);
      throw new UpstreamRejection(protocol.readFailure({ ...response, body }));
    }
    const { upstreamTaskId } = protocol.readSubmitted(response.body);
    record.upstreamId = upstreamTaskId;
    this.failpoints.reach('after-post');
    return upstreamTaskId;
  }
}

/** The draft's channel is no longer configured, or serves test keys only. */
const draftNotFound = (): GatewayError =>
  new GatewayError('not_found', "'input.content': the draft no longer exists.", { param: 'input.content' });

const callOf = (task: WorkerVideoTask, model: ModelWithCapability<'video'>): SubmitCall['call'] => ({
  publicModel: model.id,
  traits: model.video.traits,
  requestId: task.requestId,
  createdSeconds: unixSeconds(task.createdAtMs),
});
