import type { DestinationStream } from 'pino';

export interface LineBatchSettings {
  /** A batch is written once it has this many characters. */
  readonly batchLength: number;
  /** A line waits at most so long, in milliseconds. */
  readonly maxWaitMs: number;
}

interface FlushableStream extends DestinationStream {
  flushSync(): void;
}

/**
 * Collects lines and writes them as one text. pino's own stream counts the bytes of its whole batch for each further line,
 * which allocated 9 KB a line. The timer runs only while lines wait, so an idle process does not wake up for it.
 */
export class LineBatches implements DestinationStream {
  readonly #stream: FlushableStream;
  readonly #settings: LineBatchSettings;
  readonly #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(stream: FlushableStream, settings: LineBatchSettings) {
    this.#stream = stream;
    this.#settings = settings;
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= this.#settings.batchLength) this.#writeBatch();
    else this.#timer ??= setTimeout(() => this.#writeBatch(), this.#settings.maxWaitMs).unref();
  }

  get isWaiting(): boolean {
    return this.#length > 0;
  }

  /** Returns once all lines are with the operating system. pino calls it for fatal lines. */
  flushSync(): void {
    this.#writeBatch();
    this.#stream.flushSync();
  }

  #writeBatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#length === 0) return;
    const text = this.#lines.join('');
    this.#lines.length = 0;
    this.#length = 0;
    this.#stream.write(text);
  }
}
