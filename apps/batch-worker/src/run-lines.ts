import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@gateway/contracts';
import { type InputLine, type ParsedLine, parseLine } from '@gateway/intake';
import type { ClaimedBatch } from '@gateway/postgres';
import { END_REASONS, type EndReason, type StopReason } from './end-batch/stop-reason.js';
import type { LineEnd } from './record-lines/line-end.js';
import type { SegmentWriter } from './record-lines/segment-writer.js';
import { EdgeClient } from './send-lines/edge-client.js';
import { LinePace } from './send-lines/line-pace.js';
import { LinesAtEdge } from './send-lines/lines-at-edge.js';
import { type LineControl, SendLine } from './send-lines/send-line.js';
import type { RunPorts } from './tokens.js';

/** A line that others block is sent again after so long. */
const BLOCKED_MS = 800;
/** Lines that one statement marks as begun. */
const BEGIN_LINES = 64;
/** Their responses have images: fewer fit into memory. */
const IMAGES_AT_ONCE = 4;
/** A budget is forgotten so long after the window. */
const BUDGET_GRACE_MS = 86_400_000;

export interface LinesOptions {
  readonly claimed: ClaimedBatch;
  readonly writer: SegmentWriter;
  /** Grows with the lines that end. */
  readonly ended: Set<number>;
  /** Lines up to this one may have begun in an earlier run. */
  readonly begunThrough: number;
  readonly signal: AbortSignal;
  readonly spentNanoUsd: () => bigint;
  readonly stopReason: () => StopReason | undefined;
  readonly stop: (reason: StopReason) => void;
  /** The edge refuses the key of the batch. Resolves when the batch's row says so. */
  readonly refuseKey: () => Promise<void>;
}

/** Sends the lines of a batch that have not ended, several at once, and hands their ends to the writer. */
export class RunLines {
  readonly #path: string;
  readonly #edge: EdgeClient;
  readonly #pace: LinePace;
  readonly #atEdge = new LinesAtEdge();
  readonly #control: LineControl;
  #begunThrough: number;

  constructor(
    private readonly ports: Pick<RunPorts, 'batches' | 'config' | 'pools' | 'metrics' | 'failpoints' | 'share'>,
    private readonly options: LinesOptions,
  ) {
    const { batch, keySha256 } = options.claimed;
    const { config, pools, metrics, share } = ports;
    this.#begunThrough = options.begunThrough;
    this.#path = ENDPOINTS[batch.endpoint].path;
    this.#pace = new LinePace(() =>
      batch.endpoint.startsWith('images') ? Math.min(share(), IMAGES_AT_ONCE) : share(),
    );
    this.#edge = new EdgeClient(pools, { url: config.edgeUrl, secret: config.batchSecret }, () => ({
      batchId: batch.id,
      keySha256,
      budgetNanoUsd: batch.budgetNanoUsd?.toString() ?? null,
      spentNanoUsd: options.spentNanoUsd().toString(),
      budgetEndsAtMs: batch.windowEndsAtMs + BUDGET_GRACE_MS,
    }));
    this.#control = {
      signal: options.signal,
      isStopped: () => options.stopReason() !== undefined,
      endedLines: () => this.#atEdge.ended,
      onBlocked: (by, endedBefore) => this.#blocked(by, endedBefore),
      onWait: (reason) => metrics.waits.inc({ reason }),
    };
  }

  /** Resolves when no line is at the edge any more. */
  async send(lines: AsyncIterable<InputLine>): Promise<void> {
    const { ended, begunThrough, signal } = this.options;
    for await (const line of lines) {
      if (ended.has(line.number)) continue;
      const mayHaveBegun = line.number <= begunThrough;
      await this.#turn(line.bytes?.length ?? 0);
      if (signal.aborted || (this.#control.isStopped() && !mayHaveBegun)) break;
      await this.#begin(line.number);
      const run = this.#run(line, mayHaveBegun);
      this.#atEdge.add(line.bytes?.length ?? 0, run);
    }
    await this.#atEdge.end();
  }

  /** Ends every line that has not begun. A wrong line is wrong in any case. */
  async endRest(lines: AsyncIterable<InputLine>, reason: EndReason): Promise<void> {
    const { outcome, code, message } = END_REASONS[reason];
    for await (const line of lines) {
      if (this.options.ended.has(line.number)) continue;
      const parsed = parseLine(line, this.#path);
      const { customId } = parsed;
      const rest = { line: line.number, customId, outcome, costNanoUsd: 0n, error: { code, message } };
      await this.#ended('wrong' in parsed ? failedLine(line, parsed) : rest);
    }
  }

  async #turn(bytes: number): Promise<void> {
    await this.#atEdge.room(bytes, () => this.#pace.linesAtOnce);
    const pauseMs = this.#pace.pauseMs(Date.now());
    if (pauseMs > 0 && !this.#control.isStopped()) {
      await sleep(pauseMs, undefined, { signal: this.options.signal }).catch(() => undefined);
    }
  }

  /** Written down first: who continues after a crash knows which lines may have begun. */
  async #begin(line: number): Promise<void> {
    if (line <= this.#begunThrough) return;
    const through = line + BEGIN_LINES - 1;
    if (!(await this.ports.batches.beginLines(this.options.claimed.claim, through))) this.options.stop('lost');
    this.#begunThrough = through;
    this.ports.failpoints.reach('after-begin');
  }

  async #run(line: InputLine, mayHaveBegun: boolean): Promise<void> {
    const parsed = parseLine(line, this.#path);
    if ('wrong' in parsed) return this.#ended(failedLine(line, parsed));
    const { number } = line;
    const { customId, body } = parsed;
    const { id: batchId } = this.options.claimed.batch;
    const sent = { number, body, mayHaveBegun, batchId, path: this.#path };
    const end = await new SendLine(this.#edge, this.#pace, this.#control, sent).run();
    if (end === undefined) return;
    this.ports.failpoints.reach('after-response');
    if ('error' in end) return this.#ended({ line: number, customId, outcome: 'failed', ...end });
    const outcome = end.response.status < 400 ? 'completed' : 'failed';
    await this.#ended({ line: number, customId, outcome, ...end });
  }

  async #ended(end: LineEnd): Promise<void> {
    this.options.ended.add(end.line);
    await this.options.writer.add(end);
  }

  async #blocked(by: 'credit' | 'budget' | 'key', endedBefore: number): Promise<boolean> {
    const { signal, stop, refuseKey } = this.options;
    if (by === 'key') {
      // Before the line ends: if it is the last, no later line would show the refusal.
      await refuseKey();
      return false;
    }
    const wait = () => sleep(BLOCKED_MS, undefined, { signal }).catch(() => undefined);
    if (await this.#atEdge.waitForOthers(endedBefore, wait)) return !this.#control.isStopped();
    stop(by);
    return false;
  }
}

const failedLine = ({ number }: InputLine, { customId, wrong }: Extract<ParsedLine, { wrong: unknown }>): LineEnd => ({
  line: number,
  customId,
  outcome: 'failed',
  costNanoUsd: 0n,
  error: { code: wrong.code, message: wrong.message },
});
