import { setTimeout as sleep } from 'node:timers/promises';
import { batchError, ENDPOINTS } from '@gateway/contracts';
import { type InputLine, splitLines } from '@gateway/intake';
import type { ClaimedBatch, RunningBatch } from '@gateway/postgres';
import { isObjectMissing } from '@gateway/store';
import { checkInput } from './check-input.js';
import { type EndedBatch, endBatch, keyError } from './end-batch/end-batch.js';
import { isEndReason, type StopReason } from './end-batch/stop-reason.js';
import { SegmentWriter } from './record-lines/segment-writer.js';
import { RunLines } from './run-lines.js';
import type { RunPorts } from './tokens.js';

/** After the death of a worker, another one waits so long. */
export const LEASE_MS = 15_000;
const RENEW_MS = 3_000;
const FAILED_RETRY_MS = 10_000;
const CREDIT_RETRY_MS = 30_000;

/** One run of one batch by this worker: check, send the lines, end. Another worker can continue it after any step. */
export class RunBatch {
  #batch: RunningBatch;
  #stop: StopReason | undefined;
  #refusal: Promise<void> | undefined;
  /** Leaves the lines at the edge: they go on. */
  readonly #leave = new AbortController();
  /** Gives up recording what has ended. */
  readonly #giveUp = new AbortController();

  constructor(
    private readonly ports: RunPorts,
    private readonly claimed: ClaimedBatch,
  ) {
    this.#batch = claimed.batch;
    this.observe(claimed.batch);
  }

  /** Leaves the batch to another worker, with everything that has ended recorded. */
  drain(): void {
    this.#stopFor('drain');
    this.#leave.abort();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const renewal = setInterval(() => void this.#renew(), RENEW_MS);
    try {
      const dueInMs = await this.#run();
      if (dueInMs !== undefined) await this.#return(dueInMs);
    } catch (error) {
      this.ports.logger.warn({ err: error, batchId: this.#batch.id }, 'running a batch failed, will be continued');
      // A claim that cannot be returned ends with its lease.
      await this.#return(FAILED_RETRY_MS).catch(() => undefined);
    } finally {
      clearInterval(renewal);
      // Lines that are still there, after a failure: the next run gets their responses.
      this.#leave.abort();
      this.#giveUp.abort();
    }
  }

  /** Undefined: the batch has ended, or is another worker's. Otherwise when it is due again. */
  async #run(): Promise<number | undefined> {
    const { ports, claimed } = this;
    try {
      if (this.#batch.status === 'validating' && !(await this.#check())) return undefined;
      await this.#runLines();
    } catch (error) {
      if (!isObjectMissing(error)) throw error;
      const gone = batchError('input_file_deleted', 'The input file was deleted, so no further line could begin.');
      await this.#end({ status: 'failed', errors: [gone] });
      return undefined;
    }
    if (this.#stop === 'lost') return undefined;
    if (this.#stop === 'drain') return 0;
    if (this.#stop === 'credit') return CREDIT_RETRY_MS;
    if (await ports.batches.finalize(claimed.claim)) await this.#end();
    return undefined;
  }

  async #check(): Promise<boolean> {
    const checked = await checkInput(this.#lines(), ENDPOINTS[this.#batch.endpoint].path);
    if ('errors' in checked) {
      await this.#end({ status: 'failed', errors: checked.errors });
      return false;
    }
    return this.ports.batches.begin(this.claimed.claim, checked.total);
  }

  async #runLines(): Promise<void> {
    const { ports, claimed } = this;
    const { lines, nextSegment, begunThrough } = await ports.batches.progress(this.#batch.id);
    const writer = new SegmentWriter(
      { ...ports, onLines: (outcome, count) => ports.metrics.lines.inc({ outcome }, count) },
      {
        claim: claimed.claim,
        format: this.#batch.format,
        nextSegment,
        signal: this.#giveUp.signal,
        onLost: () => this.#lose(),
      },
    );
    const run = new RunLines(ports, {
      claimed,
      writer,
      ended: new Set(lines),
      begunThrough,
      signal: this.#leave.signal,
      spentNanoUsd: () => this.#batch.costNanoUsd,
      stopReason: () => this.#stop,
      stop: (reason) => this.#stopFor(reason),
      refuseKey: () => this.#refuseKey(),
    });
    try {
      await run.send(this.#lines());
      if (this.#stop !== undefined && isEndReason(this.#stop)) await run.endRest(this.#lines(), this.#stop);
    } finally {
      await writer.flush();
    }
  }

  /** Several lines may be refused together. A batch that already ends for another reason keeps that one. */
  #refuseKey(): Promise<void> {
    if (this.#stop !== 'key' && this.#stop !== undefined && isEndReason(this.#stop)) return Promise.resolve();
    this.#stopFor('key');
    this.#refusal ??= this.#recordRefusal();
    return this.#refusal;
  }

  /** Written first: who continues after a crash knows that the batch fails. */
  async #recordRefusal(): Promise<void> {
    if (!(await this.ports.batches.recordErrors(this.claimed.claim, [keyError()]))) this.#lose();
  }

  /** In parts: slow lines let it wait for minutes, and the store closes a connection that is silent for so long. */
  #lines(): AsyncGenerator<InputLine> {
    return splitLines(this.ports.objects.parts(this.#batch.inputObject));
  }

  async #end(early?: EndedBatch): Promise<void> {
    const batch = await this.ports.batches.renew(this.claimed.claim, LEASE_MS);
    if (batch === null) return;
    const status = await endBatch(this.ports, { claim: this.claimed.claim, batch, reason: this.#stop, early });
    this.ports.failpoints.reach('after-finish');
    if (status !== undefined) this.ports.metrics.ended.inc({ status });
  }

  async #renew(): Promise<void> {
    try {
      const batch = await this.ports.batches.renew(this.claimed.claim, LEASE_MS);
      if (batch === null) this.#lose();
      else this.observe(batch);
    } catch (error) {
      this.ports.logger.warn({ err: error, batchId: this.#batch.id }, 'renewing a batch failed, will be retried');
    }
  }

  /** The row has changed: its owner may have cancelled it. */
  observe(batch: RunningBatch): void {
    this.#batch = batch;
    if (batch.errors !== null) this.#stopFor('key');
    else if (batch.cancelRequestedAtMs !== null) this.#stopFor('cancelled');
    else if (batch.isWindowOver) this.#stopFor('expired');
  }

  /** The first reason stays, but one that leaves the batch to another worker counts in any case. */
  #stopFor(reason: StopReason): void {
    if (this.#stop === undefined || reason === 'lost' || reason === 'drain') this.#stop = reason;
  }

  #lose(): void {
    this.#stopFor('lost');
    this.#leave.abort();
    this.#giveUp.abort();
  }

  /** A worker that stops gives up recording after its grace time. */
  giveUpAfter(milliseconds: number): void {
    void sleep(milliseconds, undefined, { ref: false, signal: this.#giveUp.signal })
      .then(() => this.#giveUp.abort())
      .catch(() => undefined);
  }

  async #return(dueInMs: number): Promise<void> {
    const waitsFor = this.#stop === 'credit' ? 'credit' : null;
    await this.ports.batches.return(this.claimed.claim, { dueInMs, waitsFor });
  }
}
