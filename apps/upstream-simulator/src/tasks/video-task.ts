import type { InvoiceUsage } from '../count/tokens.js';
import type { JournaledTask } from '../journal/journal.js';
import type { ResultStore } from '../results/result-store.js';
import type { TaskFailure, TaskSpec } from './task-spec.js';
import { isOpen, stateAt, type TaskState, type Timetable, timetableOf } from './timetable.js';

export interface Callback {
  readonly state: TaskState;
  /** Null: no answer. */
  readonly status: number | null;
}

/** One task: what was ordered, and the clock that it follows whether or not anybody asks. */
export class VideoTask<Order extends TaskSpec = TaskSpec> implements JournaledTask {
  /** What was told of it to the client's own address, by a vendor that does so. */
  readonly callbacks: Callback[] = [];
  #timetable: Timetable;
  #cancelledAtMs = Infinity;
  #failure: TaskFailure;
  #isForgotten = false;
  #hasSaidSucceeded = false;
  #hasLied = false;
  #polls = 0;
  #resultUrl: string | undefined;
  #lastFrameUrl: string | undefined;

  constructor(
    readonly id: string,
    readonly spec: Order,
    readonly createdAtMs: number,
    /** Which submission of the same body by the same credential it is, from 1: 2 is a double. */
    readonly submission: number,
  ) {
    const { directives, deferredFailure } = spec;
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
    return this.state === 'succeeded' && this.spec.directives.taskVanishes !== true ? this.spec.bill : null;
  }

  get failure(): TaskFailure {
    return this.#failure;
  }

  /** How often it was asked for. */
  get polls(): number {
    return this.#polls;
  }

  /** Infinity while it waits. */
  get startedAtMs(): number {
    const { startsAtMs } = this.#timetable;
    return startsAtMs < this.#cancelledAtMs && startsAtMs <= Date.now() ? startsAtMs : Infinity;
  }

  /** Infinity while it is open. */
  get endedAtMs(): number {
    const { endsAtMs } = this.#timetable;
    const atMs = Math.min(this.#cancelledAtMs, endsAtMs);
    return atMs <= Date.now() ? atMs : Infinity;
  }

  /** When it comes to its end if it is left alone; infinity if never. */
  get endsAtMs(): number {
    return Math.max(this.#timetable.startsAtMs, this.#timetable.endsAtMs);
  }

  /** How much of its time has gone, from 0 to 1; 0 if it never ends. */
  get progress(): number {
    const wholeMs = this.endsAtMs - this.createdAtMs;
    return wholeMs > 0 ? Math.min(1, (Date.now() - this.createdAtMs) / wholeMs) : 1;
  }

  /** When it will next change by itself; infinity if never. */
  get changesAtMs(): number {
    const { startsAtMs, endsAtMs } = this.#timetable;
    if (!this.isOpen) return Infinity;
    return this.state === 'queued' ? startsAtMs : endsAtMs;
  }

  /** True if no query finds it: by order, or because it ended longer ago than the vendor keeps what has ended. */
  isHidden(retentionMs: number): boolean {
    const { taskVanishes, taskIsForgotten } = this.spec.directives;
    const isForgotten = this.#isForgotten || (taskIsForgotten === true && !this.isOpen);
    return taskVanishes === true || isForgotten || this.endedAtMs + retentionMs <= Date.now();
  }

  countPoll(): void {
    this.#polls += 1;
  }

  /** The state as it is told to who asks now, which may be a lie. */
  reportState(): TaskState {
    const { state } = this;
    if (state !== 'succeeded' || this.spec.directives.taskLies !== true || this.#hasLied) return state;
    this.#hasLied = this.#hasSaidSucceeded;
    this.#hasSaidSucceeded = true;
    return this.#hasLied ? 'running' : state;
  }

  /** Where the result lies, for a day from the end. */
  resultUrl(results: ResultStore): string {
    this.#resultUrl ??= results.put(this.spec.video, this.spec.host, this.endedAtMs);
    return this.#resultUrl;
  }

  lastFrameUrl(results: ResultStore): string {
    const { text, width, height } = this.spec.video;
    this.#lastFrameUrl ??= results.put({ text, width, height, format: 'png' }, this.spec.host, this.endedAtMs);
    return this.#lastFrameUrl;
  }

  /** What the vendor's own cancelling does: nothing, if it is told to say yes and go on. */
  cancel(): void {
    if (this.spec.directives.ignoresCancel !== true) this.#cancelledAtMs = Date.now();
  }

  /** No query finds it from now on; what it owes stays. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Moves an open task on to another state, now. */
  move(state: TaskState, failureCode = ''): void {
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

  /** Ends an open task now, in the way in which it was to end. */
  finishNow(): void {
    const startsAtMs = Math.min(this.#timetable.startsAtMs, Date.now());
    this.#timetable = { ...this.#timetable, startsAtMs, endsAtMs: Date.now() };
  }

  #failureBy(code: string): TaskFailure {
    const { deferredFailure, directives } = this.spec;
    return code === '' && deferredFailure !== null
      ? deferredFailure
      : this.spec.failureOf(code || (directives.taskFailure ?? ''));
  }
}
