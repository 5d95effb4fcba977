import { isGatewayError } from '@gateway/contracts';
import { isHttpFailure } from '@gateway/http';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import type { FoundTask, VideoProtocol } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import { isSuccess, SendRequest } from '../send-request.service.js';
import type { TaskCursor } from '../task-channels.js';
import { AskTask } from './ask-task.service.js';

/**
 * Where a submission went whose answer was lost. `absent`: the upstream lists no task that could be it. `unclear`: more than
 * one could be, or somebody else's submission could have made it; a customer must never be given another's video.
 */
export type Whereabouts =
  | { readonly kind: 'found'; readonly upstreamTaskId: string }
  | { readonly kind: 'absent' | 'unclear' | 'unlisted' | 'failed' };

/** Clocks differ, and a request takes its time to arrive. */
const CLOCKS_DIFFER_MS = 30_000;
const CANDIDATES_AT_MOST = 5;

/** Looks for a lost submission among the tasks that its upstream lists. */
@Injectable()
export class FindLost {
  constructor(
    private readonly requests: SendRequest,
    private readonly asking: AskTask,
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  async find(task: WorkerVideoTask, place: TaskCursor, stop: AbortSignal): Promise<Whereabouts> {
    const { find } = place.protocol;
    if (find === undefined || task.askedAtMs === null) return { kind: 'unlisted' };
    const window = {
      sinceMs: task.askedAtMs - CLOCKS_DIFFER_MS,
      untilMs: task.askedAtMs + this.config.submitTimeoutMs + CLOCKS_DIFFER_MS,
    };
    const listed = await this.#list(find, window, place, stop);
    if (listed === undefined) return { kind: 'failed' };
    const candidates = await this.#unknown(listed, window, place);
    if (candidates.length === 0) return { kind: 'absent' };
    if (candidates.length > CANDIDATES_AT_MOST) return { kind: 'unclear' };
    const ours = await this.#withOurPrompt(candidates, task, place, stop);
    if (ours === undefined) return { kind: 'failed' };
    const [only, ...others] = ours;
    if (only === undefined) return { kind: 'absent' };
    const rivals = await this.tasks.rivalSubmissions({
      taskId: task.taskId,
      channelId: place.channelId,
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
    { target, channelId }: TaskCursor,
    stop: AbortSignal,
  ): Promise<readonly FoundTask[] | undefined> {
    try {
      const call = { operation: 'list_tasks', channelId, timeoutMs: this.config.pollTimeoutMs, stop } as const;
      const answer = await this.requests.send(find.build(window, target), call);
      return isSuccess(answer) ? find.read(answer.body, target) : undefined;
    } catch (error) {
      stop.throwIfAborted();
      if (isHttpFailure(error) || isGatewayError(error)) return undefined;
      throw error;
    }
  }

  async #unknown(
    listed: readonly FoundTask[],
    { sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number },
    { channelId }: TaskCursor,
  ): Promise<readonly FoundTask[]> {
    const inTime = listed.filter(({ submittedAtMs }) => submittedAtMs >= sinceMs && submittedAtMs <= untilMs);
    if (inTime.length === 0) return [];
    const known = await this.tasks.knownUpstreamTasks(
      channelId,
      inTime.map(({ upstreamTaskId }) => upstreamTaskId),
    );
    return inTime.filter(({ upstreamTaskId }) => !known.has(upstreamTaskId));
  }

  /** Undefined: one of them could not be looked at. */
  async #withOurPrompt(
    candidates: readonly FoundTask[],
    { prompt }: WorkerVideoTask,
    place: TaskCursor,
    stop: AbortSignal,
  ): Promise<readonly FoundTask[] | undefined> {
    const { promptOf } = place.protocol.find ?? {};
    if (promptOf === undefined || prompt === null) return candidates;
    const ours: FoundTask[] = [];
    for (const candidate of candidates) {
      const look = await this.asking.ask(candidate.upstreamTaskId, place, stop);
      if (look.kind !== 'reading') return undefined;
      const theirs = promptOf(look.reading.native);
      if (theirs === undefined || theirs === prompt) ours.push(candidate);
    }
    return ours;
  }
}
