import type { ServerResponse } from 'node:http';
import type { InvoiceUsage } from '../count/tokens.js';
import type { JournalEntry } from '../journal/journal.js';
import type { Refusal } from '../vendors/vendor-emulator.js';

/** The bill if the client disconnected now; null before the first chunk. */
export type UsageSoFar = () => InvoiceUsage | null;
const MAX_TIMER_MS = 2 ** 31 - 1;
const NOTHING: UsageSoFar = () => null;

/** One HTTP exchange: a socket and its journal entry. No wait of a directive is longer than `maxWaitMs`. */
export class Exchange {
  #usageSoFar = NOTHING;
  #isWatched = false;

  constructor(
    readonly response: ServerResponse,
    private readonly entry: JournalEntry,
    private readonly maxWaitMs = Number.POSITIVE_INFINITY,
  ) {}

  get isOver(): boolean {
    return !this.entry.isOpen;
  }

  /** From now on a disconnect closes the entry with `usageSoFar`. */
  watch(usageSoFar: UsageSoFar = NOTHING): void {
    this.#usageSoFar = usageSoFar;
    if (!this.#isWatched) {
      this.#isWatched = true;
      this.response.once('close', this.#onClose);
    }
    if (this.response.destroyed) {
      // The client has disconnected already: 'close' does not come again.
      this.#onClose();
    }
  }

  /** Runs `next` after the delay, unless the client disconnects: the entry then closes with `usageSoFar`. */
  after(delayMs: number, next: () => void, usageSoFar = NOTHING): void {
    if (delayMs <= 0) {
      next();
      return;
    }
    this.watch(usageSoFar);
    setTimeout(() => {
      if (!this.isOver) next();
    }, this.#limited(delayMs));
  }

  /** Sends nothing more. A limited simulator drops the connection in the end. */
  hang(usageSoFar = NOTHING): void {
    this.watch(usageSoFar);
    if (this.maxWaitMs === Number.POSITIVE_INFINITY) return;
    setTimeout(() => {
      if (!this.isOver) this.cut('', usageSoFar());
    }, this.maxWaitMs);
  }

  /** The pause between `chunks` chunks, which together wait no longer than the limit. */
  paceOf(chunkMs: number, chunks: number): number {
    return Math.min(chunkMs, this.maxWaitMs / Math.max(1, chunks));
  }

  /** `setTimeout` runs a longer wait at once. */
  #limited(delayMs: number): number {
    return Math.min(delayMs, this.maxWaitMs, MAX_TIMER_MS);
  }

  refuse(refusal: Refusal): void {
    this.send(refusal.status, refusal.headers, refusal.body, null);
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer, usage: InvoiceUsage | null) {
    this.entry.close({ status, isClientAbort: false, usage, billed: usage });
    this.response.writeHead(status, {
      'content-type': 'application/json',
      ...headers,
      'content-length': Buffer.byteLength(body),
    });
    this.response.end(body);
  }

  /** Ends the stream with its last bytes. */
  end(rest: string, usage: InvoiceUsage | null): void {
    this.entry.close({ status: 200, isClientAbort: false, usage, billed: usage });
    this.response.end(rest);
  }

  /** Writes `rest`, then drops the connection. */
  cut(rest: string | Buffer, usage: InvoiceUsage | null): void {
    const status = this.response.headersSent ? this.response.statusCode : null;
    this.entry.close({ status, isClientAbort: false, usage, billed: usage });
    if (rest.length === 0) {
      this.response.destroy();
    } else {
      this.response.write(rest, () => this.response.destroy());
    }
  }

  readonly #onClose = (): void => {
    const usage = this.#usageSoFar();
    const status = this.response.headersSent ? this.response.statusCode : null;
    this.entry.close({ status, isClientAbort: true, usage, billed: usage });
  };
}
