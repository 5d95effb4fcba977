import type { InvoiceUsage } from '../count/tokens.js';
import type { JournaledTask } from '../journal/journal.js';
import type { ResultStore } from '../results/result-store.js';
import { isOpen, stateAt, type TaskState, type Timetable, timetableOf } from './timetable.js';
import type { TaskFailure, VideoJob } from './video-job.js';

export interface Callback {
  readonly state: TaskState;
  /** Null: no response. */
  readonly status: number | null;
}

/** One task and its clock, which runs whether or not it is polled. */
export class VideoTask<Job extends VideoJob = VideoJob> implements JournaledTask {
  /** Callbacks sent for it. */
  readonly callbacks: Callback[] = [];
  #timetable: Timetable;
  #cancelledAtMs = Infinity;
  #failure: TaskFailure;
  #isForgotten = false;
  #hasReportedRunning = false;
  #hasReportedSucceeded = false;
  /** Its times come from directives or a command. */
  #hasExactTimes: boolean;
  #hasLied = false;
  #polls = 0;
  #resultUrl: string | undefined;
  #lastFrameUrl: string | undefined;

  constructor(
    readonly id: string,
    readonly job: Job,
    readonly createdAtMs: number,
    /** 1 for the first submission of these bytes by this credential, 2 for its duplicate. */
    readonly submission: number,
  ) {
    const { directives, deferredFailure } = job;
    this.#hasExactTimes = directives.taskSeconds !== undefined || directives.queueSeconds !== undefined;
    this.#timetable = timetableOf(directives, createdAtMs, deferredFailure !== null);
    this.#failure = this.#failureBy('');
  }

  get state(): TaskState {
    const nowMs = Date.now();
    return nowMs >= this.#cancelledAtMs ? 'cancelled' : stateAt(this.#timetable, nowMs);
  }

  get isOpen(): boolean {
    return isOpen(this.state);
  }

  get billed(): InvoiceUsage | null {
    const { bill, billedFailure, directives } = this.job;
    const { state } = this;
    const isBilled = state === 'succeeded' || (state === 'failed' && this.#failure.code === billedFailure);
    return isBilled && directives.taskVanishes !== true ? bill : null;
  }

  get failure(): TaskFailure {
    return this.#failure;
  }

  get polls(): number {
    return this.#polls;
  }

  /** Infinity while queued. */
  get startedAtMs(): number {
    const { startsAtMs } = this.#timetable;
    return startsAtMs < this.#cancelledAtMs && startsAtMs <= Date.now() ? startsAtMs : Infinity;
  }

  /** Infinity while open. */
  get endedAtMs(): number {
    const { endsAtMs } = this.#timetable;
    const atMs = Math.min(this.#cancelledAtMs, endsAtMs);
    return atMs <= Date.now() ? atMs : Infinity;
  }

  /** Infinity: never without a command. */
  get endsAtMs(): number {
    return Math.max(this.#timetable.startsAtMs, this.#timetable.endsAtMs);
  }

  /** From 0 to 1; 0 for a task that never ends. */
  get progress(): number {
    const wholeMs = this.endsAtMs - this.createdAtMs;
    return wholeMs > 0 ? Math.min(1, (Date.now() - this.createdAtMs) / wholeMs) : 1;
  }

  /** The next scheduled state change; Infinity if none. */
  get changesAtMs(): number {
    const { startsAtMs, endsAtMs } = this.#timetable;
    if (!this.isOpen) return Infinity;
    return this.state === 'queued' ? startsAtMs : endsAtMs;
  }

  /** True if polls do not find it: by directive, or past its retention. */
  isHidden(retentionMs: number): boolean {
    const { taskVanishes, taskIsForgotten } = this.job.directives;
    const isForgotten = this.#isForgotten || (taskIsForgotten === true && !this.isOpen);
    return taskVanishes === true || isForgotten || this.endedAtMs + retentionMs <= Date.now();
  }

  countPoll(): void {
    this.#polls += 1;
  }

  /**
   * The state for a poll. A default task reports `running` once before its success, since a slow poller would never see it.
   * With `task_lies` a task reports `running` once after its success.
   */
  reportState(): TaskState {
    const { state } = this;
    if (state !== 'succeeded') {
      this.#hasReportedRunning ||= state === 'running';
      return state;
    }
    if (!this.#hasReportedRunning && !this.#hasExactTimes) {
      this.#hasReportedRunning = true;
      return 'running';
    }
    if (this.job.directives.taskLies !== true || this.#hasLied) return state;
    this.#hasLied = this.#hasReportedSucceeded;
    this.#hasReportedSucceeded = true;
    return this.#hasLied ? 'running' : state;
  }

  /** The result's address, valid for a day from the end. */
  resultUrl(results: ResultStore): string {
    this.#resultUrl ??= results.put(this.job.video, this.job.host, this.endedAtMs);
    return this.#resultUrl;
  }

  lastFrameUrl(results: ResultStore): string {
    const { text, width, height } = this.job.video;
    this.#lastFrameUrl ??= results.put({ text, width, height, format: 'png' }, this.job.host, this.endedAtMs);
    return this.#lastFrameUrl;
  }

  /** The vendor's cancel. `cancel_ignored` accepts it and goes on. */
  cancel(): void {
    if (this.job.directives.ignoresCancel !== true) this.#cancelledAtMs = Date.now();
  }

  /** Hides it from polls; its bill stays. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Sets the state of an open task now. */
  move(state: TaskState, failureCode = ''): void {
    this.#hasExactTimes = true;
    const nowMs = Date.now();
    if (state === 'cancelled') {
      this.#cancelledAtMs = nowMs;
    } else if (state === 'queued') {
      this.#timetable = { ...this.#timetable, startsAtMs: Infinity, endsAtMs: Infinity };
    } else if (state === 'running') {
      this.#timetable = { ...this.#timetable, startsAtMs: nowMs, endsAtMs: Infinity };
    } else {
      const startsAtMs = Math.min(this.#timetable.startsAtMs, nowMs);
      this.#timetable = { startsAtMs, endsAtMs: nowMs, ending: state };
      this.#failure = this.#failureBy(failureCode);
    }
  }

  /** Ends an open task now, with its scheduled outcome. */
  finishNow(): void {
    this.#hasExactTimes = true;
    const startsAtMs = Math.min(this.#timetable.startsAtMs, Date.now());
    this.#timetable = { ...this.#timetable, startsAtMs, endsAtMs: Date.now() };
  }

  #failureBy(code: string): TaskFailure {
    const { deferredFailure, directives } = this.job;
    return code === '' && deferredFailure !== null
      ? deferredFailure
      : this.job.failureOf(code || (directives.taskFailure ?? ''));
  }
}
