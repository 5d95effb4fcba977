import { isGatewayError } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import type { FoundTask, VideoProtocol } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import type { TaskChannel } from '../task/task-channels.js';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { FetchStatus } from '../upstream/fetch-status.service.js';
import { isSuccess, UpstreamClient } from '../upstream/upstream-client.service.js';

/**
 * Where a lost submission is. `absent`: the upstream lists no task that matches. `unclear`: several tasks match, or another
 * submission could have made the task; no customer may get another customer's video. `unlisted`: the upstream has no list.
 */
export type LookupResult =
  | { readonly kind: 'found'; readonly upstreamTaskId: string }
  | { readonly kind: 'absent' | 'unclear' | 'unlisted' | 'failed' };

/** Clocks differ, and a request needs time to arrive. */
const CLOCK_TOLERANCE_MS = 30_000;
const MAX_CANDIDATES = 5;

/** Finds a lost submission in the task list of its upstream. */
@Injectable()
export class FindSubmission {
  constructor(
    private readonly client: UpstreamClient,
    private readonly status: FetchStatus,
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'submitTimeoutMs' | 'pollTimeoutMs'>,
  ) {}

  async find(task: WorkerVideoTask, channel: TaskChannel, stop: AbortSignal): Promise<LookupResult> {
    const { find } = channel.protocol;
    if (find === undefined || task.upstreamCalledAtMs === null) return { kind: 'unlisted' };
    const window = {
      sinceMs: task.upstreamCalledAtMs - CLOCK_TOLERANCE_MS,
      untilMs: task.upstreamCalledAtMs + this.config.submitTimeoutMs + CLOCK_TOLERANCE_MS,
    };
    const listed = await this.#list(find, window, channel, stop);
    if (listed === undefined) return { kind: 'failed' };
    const candidates = await this.#unassigned(listed, window, channel);
    if (candidates.length === 0) return { kind: 'absent' };
    if (candidates.length > MAX_CANDIDATES) return { kind: 'unclear' };
    const ours = await this.#withOurPrompt(candidates, task, channel, stop);
    if (ours === undefined) return { kind: 'failed' };
    const [only, ...others] = ours;
    if (only === undefined) return { kind: 'absent' };
    const rivals = await this.tasks.rivalSubmissions({
      taskId: task.taskId,
      channelId: channel.channelId,
      model: task.model,
      fromMs: window.sinceMs - this.config.submitTimeoutMs,
      untilMs: window.untilMs,
      prompt: find.promptOf === undefined ? null : task.prompt,
    });
    if (others.length > 0 || rivals > 0) return { kind: 'unclear' };
    return { kind: 'found', upstreamTaskId: only.upstreamTaskId };
  }

  async #list(
    find: NonNullable<VideoProtocol['find']>,
    window: { readonly sinceMs: number; readonly untilMs: number },
    { target, channelId }: TaskChannel,
    stop: AbortSignal,
  ): Promise<readonly FoundTask[] | undefined> {
    try {
      const operation = { operation: 'list_tasks', channelId, timeoutMs: this.config.pollTimeoutMs, stop } as const;
      const response = await this.client.send(find.build(window, target), operation);
      return isSuccess(response) ? find.read(response.body, target) : undefined;
    } catch (error) {
      stop.throwIfAborted();
      if (isHttpFailure(error) || isGatewayError(error)) return undefined;
      throw error;
    }
  }

  /** The listed tasks of the window that belong to no task here. */
  async #unassigned(
    listed: readonly FoundTask[],
    { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
    { channelId }: TaskChannel,
  ): Promise<readonly FoundTask[]> {
    const inTime = listed.filter(({ submittedAtMs }) => submittedAtMs >= sinceMs && submittedAtMs <= untilMs);
    if (inTime.length === 0) return [];
    const known = await this.tasks.knownUpstreamTasks(
      channelId,
      inTime.map(({ upstreamTaskId }) => upstreamTaskId),
    );
    return inTime.filter(({ upstreamTaskId }) => !known.has(upstreamTaskId));
  }

  /** Undefined: the status of one candidate could not be fetched. */
  async #withOurPrompt(
    candidates: readonly FoundTask[],
    { prompt }: WorkerVideoTask,
    channel: TaskChannel,
    stop: AbortSignal,
  ): Promise<readonly FoundTask[] | undefined> {
    const { promptOf } = channel.protocol.find ?? {};
    if (promptOf === undefined || prompt === null) return candidates;
    const ours: FoundTask[] = [];
    for (const candidate of candidates) {
      const status = await this.status.fetch(candidate.upstreamTaskId, channel, stop);
      if (status.kind !== 'reading') return undefined;
      const candidatePrompt = promptOf(status.reading.native);
      if (candidatePrompt === undefined || candidatePrompt === prompt) ours.push(candidate);
    }
    return ours;
  }
}
