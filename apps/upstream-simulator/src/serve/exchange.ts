import type { ServerResponse } from 'node:http';
import type { InvoiceUsage } from '../count/tokens.js';
import type { JournalEntry } from '../journal/journal.js';
import type { Refusal } from '../vendors/vendor-emulator.js';

/** What would be billed if the client left now; null before the first chunk. */
export type UsageSoFar = () => InvoiceUsage | null;

const NOTHING: UsageSoFar = () => null;

/** One HTTP exchange: the socket on one side, its line in the journal on the other. */
export class Exchange {
  #usageSoFar = NOTHING;
  #isWatched = false;

  constructor(
    readonly response: ServerResponse,
    private readonly entry: JournalEntry,
  ) {}

  get isOver(): boolean {
    return !this.entry.isOpen;
  }

  /** From here on a client that leaves is noticed, and pays for `usageSoFar`. */
  watch(usageSoFar: UsageSoFar = NOTHING): void {
    this.#usageSoFar = usageSoFar;
    if (!this.#isWatched) {
      this.#isWatched = true;
      this.response.once('close', this.#onClose);
    }
    if (this.response.destroyed) {
      // The client left before anyone watched: its 'close' has been and will not come again.
      this.#onClose();
    }
  }

  /** Runs `next` after the delay, unless the client has left by then. */
  after(delayMs: number, next: () => void): void {
    if (delayMs <= 0) {
      next();
      return;
    }
    this.watch();
    setTimeout(() => {
      if (!this.isOver) next();
    }, delayMs);
  }

  refuse(refusal: Refusal): void {
    this.send(refusal.status, refusal.headers, refusal.body, null);
  }

  /** A whole answer at once. */
  send(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string | Buffer,
    usage: InvoiceUsage | null,
  ): void {
    this.entry.close({ status, isClientAbort: false, usage, billed: usage });
    this.response.writeHead(status, {
      'content-type': 'application/json',
      ...headers,
      'content-length': Buffer.byteLength(body),
    });
    this.response.end(body);
  }

  /** The stream is complete: `rest` are its last bytes. */
  end(rest: string, usage: InvoiceUsage | null): void {
    this.entry.close({ status: 200, isClientAbort: false, usage, billed: usage });
    this.response.end(rest);
  }

  /** Breaks the connection once `rest` has left this process. */
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
