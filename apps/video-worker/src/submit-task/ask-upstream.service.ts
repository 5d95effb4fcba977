import type { ModelWithCapability } from '@gateway/catalogue';
import { type AttemptRecord, ChannelFailover, UpstreamRejection } from '@gateway/channels';
import { GatewayError, type UpstreamAttempt, type VideoSubmission } from '@gateway/contracts';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { type Target, VIDEO_PROTOCOLS, type VideoCall, type VideoProtocol } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { FAILPOINTS, type Failpoints } from '../failpoints.js';
import { isSuccess, SendRequest } from '../send-request.service.js';
import { judgeSubmission, type SubmissionVerdict } from './judge-submission.js';

/** Somebody else has decided what becomes of this submission: its worker was thought to be dead. */
class TakenOver extends Error {}

/** What comes before and after the upstream is asked. */
const LEASE_SLACK_MS = 5_000;

export type Submitted = {
  /** As it was written down last. */
  readonly task: WorkerVideoTask;
  readonly attempts: readonly UpstreamAttempt[];
} & (
  | { readonly kind: 'taken'; readonly upstreamTaskId: string }
  /** Certainly not taken. */
  | { readonly kind: 'refused'; readonly error: GatewayError }
  /** Taken or not: it must not be asked for again. */
  | { readonly kind: 'unknown'; readonly error: GatewayError }
);

/** Asks for a task once: another channel is asked only after one that has certainly not taken it. */
@Injectable()
export class AskUpstream {
  constructor(
    private readonly channels: ChannelFailover,
    private readonly requests: SendRequest,
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** How long a submission may take from one step that is written down to the next; after that its worker has died. */
  get leaseMs(): number {
    return this.config.submitTimeoutMs + LEASE_SLACK_MS;
  }

  /** Throws the stop's reason, TakenOver, or a fault of ours: whether an upstream was asked stands in the task's row. */
  async submit(
    opened: WorkerVideoTask,
    submission: VideoSubmission,
    model: ModelWithCapability<'video'>,
    stop: AbortSignal,
  ): Promise<Submitted> {
    let task = opened;
    const attempts: UpstreamAttempt[] = [];
    const protocol = VIDEO_PROTOCOLS[model.video.protocol];
    const call = callOf(opened, submission, model);
    const upstreamModel = this.config.upstreamModelOverrides[model.id] ?? model.upstreamModel;
    const tried = await this.channels.run<string, SubmissionVerdict>({
      vendor: model.vendor,
      publicModel: model.id,
      accountId: opened.accountId,
      isTest: opened.isTest,
      ...(submission.channelId !== undefined && {
        requiredChannel: { channelId: submission.channelId, whenGone: draftIsGone },
      }),
      signal: stop,
      attempts,
      run: async ({ id, baseUrl, credential }, record) => {
        task = await this.#noteAsking(task, id);
        return this.#post(protocol, call, { baseUrl, credential, upstreamModel }, record);
      },
      isStillRunning: () => false,
      classifyFailure: (thrown, { status }) => judgeSubmission(thrown, status),
    });
    if ('result' in tried) return { kind: 'taken', task, attempts, upstreamTaskId: tried.result };
    const { error, verdict } = tried;
    return { kind: verdict?.isUnclear === true ? 'unknown' : 'refused', task, attempts, error };
  }

  async #noteAsking(task: WorkerVideoTask, channelId: string): Promise<WorkerVideoTask> {
    const asking = await this.tasks.noteAsking(task, channelId, this.leaseMs);
    if (asking === null) throw new TakenOver(`${task.taskId} is not this worker's any more`);
    return asking;
  }

  /** It is not broken off once it is sent, whoever has lost interest: what was taken has to be known. */
  async #post(protocol: VideoProtocol, call: VideoCall, target: Target, record: AttemptRecord): Promise<string> {
    const request = protocol.buildSubmit(call, target);
    this.failpoints.reach('before-post');
    const answer = await this.requests.send(request, {
      operation: 'generate_content',
      model: call.publicModel,
      channelId: record.channel,
      timeoutMs: this.config.submitTimeoutMs,
    });
    record.status = answer.status;
    if (!isSuccess(answer)) throw new UpstreamRejection(protocol.readFailure(answer));
    const { upstreamTaskId } = protocol.readSubmitted(answer.body);
    record.upstreamId = upstreamTaskId;
    this.failpoints.reach('after-post');
    return upstreamTaskId;
  }
}

/** Its channel is configured no more, or is one of tests only. */
const draftIsGone = (): GatewayError =>
  new GatewayError('not_found', "'input.content': the draft is not known any more.", { param: 'input.content' });

const callOf = (task: WorkerVideoTask, request: VideoSubmission, model: ModelWithCapability<'video'>): VideoCall => ({
  request,
  publicModel: model.id,
  traits: model.video.traits,
  requestId: task.requestId,
  createdSeconds: Math.floor(task.createdAtMs / 1_000),
});
