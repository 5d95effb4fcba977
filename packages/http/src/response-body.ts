/** What an answer's body asks of its connection. */
export interface BodyFlow {
  pause(): void;
  resume(): void;
  /** Closes the connection: the rest of the body is not wanted. */
  cut(): void;
  /** What a failure of the body means. */
  explain(error: unknown): Error;
}

/** So much is kept for a reader that is slower than its upstream, which is then paused. */
const KEPT_BYTES_LIMIT = 64 * 1024;

const OVER: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The pieces of one body on their way from the connection to who reads them, one read at a time. The library's stream and its
 * iterator would do as well; with them a piece took a quarter more of the processor's time until it was read.
 */
export class AnswerBody implements AsyncIterableIterator<Buffer, undefined> {
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #isPaused = false;
  #state: 'open' | 'whole' | 'broken' = 'open';
  #failure: unknown;
  #reader: PromiseWithResolvers<IteratorResult<Buffer, undefined>> | undefined;

  constructor(private readonly flow: BodyFlow) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(piece: Buffer): void {
    if (this.#answer({ done: false, value: piece })) return;
    this.#kept.push(piece);
    this.#keptBytes += piece.length;
    if (this.#isPaused || this.#keptBytes < KEPT_BYTES_LIMIT) return;
    this.#isPaused = true;
    this.flow.pause();
  }

  end(): void {
    this.#state = 'whole';
    this.#answer(OVER);
  }

  /** What came before is still read. */
  fail(error: unknown): void {
    if (this.#state !== 'open') return;
    this.#state = 'broken';
    this.#failure = error;
    this.#reader?.reject(this.flow.explain(error));
    this.#reader = undefined;
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const value = this.#kept.shift();
    if (value !== undefined) {
      this.#keptBytes -= value.length;
      this.#resume();
      return Promise.resolve({ done: false, value });
    }
    if (this.#state === 'whole') return Promise.resolve(OVER);
    if (this.#state === 'broken') return Promise.reject(this.flow.explain(this.#failure));
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }

  /** Leaves the rest unread. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#kept.length = 0;
    if (this.#state === 'open') {
      this.end();
      this.flow.cut();
    }
    return OVER;
  }

  #resume(): void {
    if (!this.#isPaused || this.#keptBytes >= KEPT_BYTES_LIMIT) return;
    this.#isPaused = false;
    this.flow.resume();
  }

  /** False if nobody waits for it. */
  #answer(result: IteratorResult<Buffer, undefined>): boolean {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.resolve(result);
    return reader !== undefined;
  }
}
