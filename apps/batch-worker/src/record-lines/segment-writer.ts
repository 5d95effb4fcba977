import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BatchFormat, LINE_OUTCOMES, type LineCounts, type LineOutcome } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { BatchClaim, BatchStore, NewSegment } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import type { BatchFailpoints } from '../failpoints.js';
import type { LineEnd } from './line-end.js';
import { renderLine } from './render-line.js';

/** A segment is written when it has so many bytes or lines, or is so old. */
const FLUSH_BYTES = 4 * 1024 * 1024;
const FLUSH_LINES = 1_000;
const FLUSH_MS = 1_000;
const RETRY_MS = 1_000;

export interface SegmentPorts {
  readonly batches: Pick<BatchStore, 'announce' | 'record'>;
  readonly objects: Pick<ObjectStore, 'put'>;
  readonly logger: Logger;
  readonly failpoints: BatchFailpoints;
  readonly onLines: (outcome: LineOutcome, count: number) => void;
}

export interface WriterOptions {
  readonly claim: BatchClaim;
  readonly format: BatchFormat;
  readonly nextSegment: number;
  /** Aborts when the process stops or the claim is lost: what is not recorded then is sent again, and replayed free. */
  readonly signal: AbortSignal;
  readonly onLost: () => void;
}

interface EndedLine {
  readonly end: LineEnd;
  readonly bytes: Buffer;
}

/**
 * Writes ended lines to the store, then records them in one statement. So a line is recorded once, with its result. A line that
 * ended and was not recorded is sent again with its idempotency key, which returns the same response for free.
 */
export class SegmentWriter {
  #lines: EndedLine[] = [];
  #bytes = 0;
  #number: number;
  #flushing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ports: SegmentPorts,
    private readonly options: WriterOptions,
  ) {
    this.#number = options.nextSegment;
  }

  /** Waits while a full segment is being written, so that memory holds at most two. */
  async add(end: LineEnd): Promise<void> {
    const bytes = renderLine(this.options.format, end);
    this.#lines.push({ end, bytes });
    this.#bytes += bytes.length;
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
    if (this.#bytes >= FLUSH_BYTES || this.#lines.length >= FLUSH_LINES) await this.flush();
  }

  /** Resolves once everything that was added is recorded, or the signal has aborted. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    if (lines.length > 0) this.#flushing = this.#flushing.then(() => this.#write(lines));
    return this.#flushing;
  }

  async #write(lines: readonly EndedLine[]): Promise<void> {
    const isError = ({ end }: EndedLine): boolean => this.options.format === 'openai' && end.outcome !== 'completed';
    const halves = [lines.filter((line) => !isError(line)), lines.filter(isError)];
    const segments = halves.flatMap((half, index) => (half.length === 0 ? [] : [this.#segment(half, index === 1)]));
    const counts = countsOf(lines);
    const costNanoUsd = lines.reduce((sum, { end }) => sum + end.costNanoUsd, 0n);
    while (!this.options.signal.aborted) {
      const named = segments.map(({ segment, bytes }) => ({
        segment: { ...segment, object: this.#newObject(segment) },
        bytes,
      }));
      const recorded = { segments: named.map(({ segment }) => segment), counts, costNanoUsd };
      try {
        await this.ports.batches.announce(recorded.segments.map(({ object }) => object));
        for (const { segment, bytes } of named) await this.ports.objects.put(segment.object, bytes);
        this.ports.failpoints.reach('after-segment');
        if (!(await this.ports.batches.record(this.options.claim, recorded))) this.options.onLost();
        else for (const outcome of LINE_OUTCOMES) this.ports.onLines(outcome, recorded.counts[outcome]);
        this.ports.failpoints.reach('after-record');
        return;
      } catch (error) {
        const { batchId } = this.options.claim;
        this.ports.logger.warn({ err: error, batchId }, 'recording lines failed, will be retried');
        await sleep(RETRY_MS, undefined, { signal: this.options.signal }).catch(() => undefined);
      }
    }
  }

  /** A random name for each attempt: neither an earlier attempt nor a worker that lost its claim must replace or lose what is recorded. */
  #newObject({ number }: Pick<NewSegment, 'number'>): string {
    return `batches/${this.options.claim.batchId}/${number}-${randomUUID()}`;
  }

  #segment(
    lines: readonly EndedLine[],
    isError: boolean,
  ): { readonly segment: Omit<NewSegment, 'object'>; readonly bytes: Buffer } {
    const number = this.#number;
    this.#number += 1;
    const bytes = Buffer.concat(lines.map((line) => line.bytes));
    const numbers = lines.map(({ end }) => end.line);
    return { segment: { number, isError, bytes: bytes.length, lines: numbers }, bytes };
  }
}

function countsOf(lines: readonly EndedLine[]): LineCounts {
  const counts = { completed: 0, failed: 0, expired: 0, cancelled: 0 };
  for (const { end } of lines) counts[end.outcome] += 1;
  return counts;
}
