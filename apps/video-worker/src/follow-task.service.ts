import type { TaskReading } from '@gateway/contracts';
import type { PollNote, WorkedVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { FAILPOINTS, type Failpoints } from './failpoints.js';
import { endByReading, endWithout, type FinalReading, inItsLife, isFinalReading } from './finish-task/end-of-task.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { AskTask, type Look } from './poll-task/ask-task.service.js';
import { CancelUpstream } from './poll-task/cancel-upstream.service.js';
import { LearnPace } from './poll-task/learn-pace.service.js';
import { backOffMs, jittered, nextPollMs, type Pace } from './poll-task/next-poll.js';
import { PollTurns } from './poll-task/poll-turns.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import type { TaskPlace } from './task-channels.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** So many looks in a row have to say that a task is unknown, or has no video, before it is taken to be lost. */
const DOUBTS_AT_LEAST = 3;
/** An upstream that does not answer when a task's time is over is asked for so long again: the task may be ready. */
const LAST_TRIES_MS = 60_000;

const LOST = {
  unknown: { code: 'task_lost', message: 'The upstream does not know the task any more. Nothing is charged.' },
  no_video: {
    code: 'video_missing',
    message: 'The upstream says that the task succeeded, and gives no video. Nothing is charged.',
  },
} as const;
const TOO_LATE = { code: 'task_expired', message: 'The task did not end in its time. Nothing is charged.' };
const AS_WISHED = { code: 'task_cancelled', message: 'The task was cancelled. Nothing is charged.' };

type DoubtfulReading = Extract<TaskReading, { state: keyof typeof LOST }>;
type OpenReading = Exclude<TaskReading, FinalReading | DoubtfulReading>;

/** One look at a task that an upstream has: ask, then end it, stop it, or put it down until the next look. */
@Injectable()
export class FollowTask {
  constructor(
    private readonly turns: PollTurns,
    private readonly asking: AskTask,
    private readonly cancelling: CancelUpstream,
    private readonly pace: LearnPace,
    private readonly finishing: FinishTask,
    private readonly next: ScheduleLook,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  async follow(task: WorkedVideoTask, upstreamTaskId: string, place: TaskPlace, stop: AbortSignal): Promise<void> {
    const { stayAwayMs } = await this.turns.take(task.vendor, place.channelId, stop);
    if (stayAwayMs > 0) return this.next.postpone(task, stayAwayMs);
    const look = await this.#ask(task, upstreamTaskId, place, stop);
    if (look.kind === 'throttled') await this.turns.rest(place.channelId, look.waitMs);
    if (look.kind !== 'reading') return this.#withoutReading(task, place, look);
    if (isFinalReading(look.reading)) return this.#end(task, look.reading);
    if (look.reading.state === 'unknown' || look.reading.state === 'no_video') {
      return this.#doubt(task, place, look.reading);
    }
    if (task.cancelOutcome === 'pending') return this.#stop(task, upstreamTaskId, place, look.reading, stop);
    if (Date.now() >= task.expiresAtMs) return this.#giveUp(task, upstreamTaskId, place, stop);
    return this.#goOn(task, place, look.reading);
  }

  async #ask(task: WorkedVideoTask, upstreamTaskId: string, place: TaskPlace, stop: AbortSignal): Promise<Look> {
    this.failpoints.reach('before-poll');
    const look = await this.asking.ask(upstreamTaskId, place, stop);
    this.failpoints.reach('after-poll');
    const outcome = look.kind === 'reading' ? look.reading.state : look.kind;
    this.metrics.polls.inc({ vendor: task.vendor, outcome });
    return look;
  }

  async #end(task: WorkedVideoTask, reading: FinalReading): Promise<void> {
    const nowMs = Date.now();
    if (reading.endedAtMs !== undefined) {
      this.metrics.detectionLag.observe(Math.max(0, nowMs - reading.endedAtMs) / 1_000);
    }
    await this.finishing.finish(task, (seen) => endByReading(seen, reading, nowMs));
  }

  /** Nothing is known: a task does not end by that, unless its time is long over. */
  async #withoutReading(task: WorkedVideoTask, place: TaskPlace, look: Exclude<Look, { kind: 'reading' }>) {
    if (Date.now() >= task.expiresAtMs + LAST_TRIES_MS) {
      await this.finishing.finish(task, (seen) => endWithout(seen, 'expired', TOO_LATE, Date.now()));
      return;
    }
    if (look.kind === 'throttled') return this.next.postpone(task, jittered(look.waitMs));
    const pace = await this.#paceOf(task, place);
    await this.next.note(task, (seen) => ({
      ...nothingNew(seen),
      failures: seen.pollFailures + 1,
      nextPollMs: jittered(backOffMs(seen.pollFailures + 1, pace)),
    }));
  }

  /** An upstream forgets what has ended long ago, and may not know yet what it has just taken, or where it has put it. */
  async #doubt(task: WorkedVideoTask, place: TaskPlace, { state, native }: DoubtfulReading): Promise<void> {
    const nowMs = Date.now();
    const sinceMs = Math.max(task.doubtedAtMs ?? nowMs, task.submittedAtMs ?? nowMs);
    const isLost = task.doubts + 1 >= DOUBTS_AT_LEAST && nowMs - sinceMs >= this.config.unknownAfterMs;
    if (isLost || nowMs >= task.expiresAtMs) {
      await this.finishing.finish(task, (seen) => ({
        ...endWithout(seen, 'failed', LOST[state], nowMs),
        upstream: state === 'no_video' ? native : null,
      }));
      return;
    }
    const pace = await this.#paceOf(task, place);
    const soonMs = Math.max(pace.fastestMs, this.config.unknownAfterMs / DOUBTS_AT_LEAST);
    await this.next.note(task, (seen) => ({
      ...nothingNew(seen),
      doubts: seen.doubts + 1,
      nextPollMs: Math.min(soonMs, pace.slowestMs),
    }));
  }

  /** The customer wants it stopped. */
  async #stop(
    task: WorkedVideoTask,
    upstreamTaskId: string,
    place: TaskPlace,
    reading: OpenReading,
    stop: AbortSignal,
  ): Promise<void> {
    const outcome = await this.cancelling.cancel(upstreamTaskId, place, stop);
    this.metrics.cancellations.inc({ vendor: task.vendor, outcome });
    if (outcome === 'refused') {
      const refused = await this.next.noteCancelRefused(task);
      if (refused !== null) await this.#goOn(refused, place, reading);
      return;
    }
    if (outcome === 'unknown') return this.#goOn(task, place, reading);
    // What it says of itself counts for more than what was said of stopping it.
    const after = await this.asking.ask(upstreamTaskId, place, stop);
    if (after.kind === 'reading' && after.reading.state === 'succeeded') return this.#end(task, after.reading);
    const native = after.kind === 'reading' ? after.reading.native : null;
    await this.finishing.finish(task, (seen) => ({
      ...endWithout(seen, 'cancelled', AS_WISHED, Date.now()),
      upstream: native,
    }));
  }

  /** Its time is over, and it was asked for once more: it is stopped if that can be, and costs nothing either way. */
  async #giveUp(task: WorkedVideoTask, upstreamTaskId: string, place: TaskPlace, stop: AbortSignal): Promise<void> {
    await this.cancelling.cancel(upstreamTaskId, place, stop);
    await this.finishing.finish(task, (seen) => endWithout(seen, 'expired', TOO_LATE, Date.now()));
  }

  async #goOn(task: WorkedVideoTask, place: TaskPlace, reading: OpenReading): Promise<void> {
    const nowMs = Date.now();
    const pace = await this.#paceOf(task, place);
    const elapsedMs = nowMs - (task.submittedAtMs ?? task.createdAtMs);
    const roundMs = await this.turns.roundMs(task.vendor, place.channelId);
    const waitMs = jittered(Math.max(nextPollMs(elapsedMs, pace), roundMs));
    const { state, native } = reading;
    await this.next.note(task, (seen) => ({
      state,
      startedAtMs: state === 'running' ? inItsLife(seen, reading.startedAtMs ?? nowMs, nowMs) : null,
      progress: reading.progress === undefined ? null : Math.round(reading.progress),
      upstream: native,
      failures: 0,
      doubts: 0,
      nextPollMs: Math.min(waitMs, Math.max(pace.fastestMs, seen.expiresAtMs - nowMs)),
    }));
  }

  #paceOf({ model }: WorkedVideoTask, { firstPollMs }: TaskPlace): Promise<Pace> {
    return this.pace.paceOf(model, firstPollMs);
  }
}

const nothingNew = ({ pollFailures, doubts }: WorkedVideoTask): Omit<PollNote, 'nextPollMs'> => ({
  state: null,
  startedAtMs: null,
  progress: null,
  upstream: null,
  failures: pollFailures,
  doubts,
});
