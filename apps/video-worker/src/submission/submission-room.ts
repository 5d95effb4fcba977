interface Waiting {
  readonly bytes: number;
  readonly enter: () => void;
}

/** In memory a submission is frames, text, values, a text again, its bytes, and a copy of those for the event loop. */
const COPIES = 6;
/** What a worker needs without any submission. */
const OWN_BYTES = 160 * 1024 * 1024;

/** Bytes of bodies that fit into a process with so much memory. At least 1: a body that is alone always fits. */
export const roomIn = (memoryBytes: number): number => Math.max(1, Math.floor((memoryBytes - OWN_BYTES) / COPIES));

/**
 * Bounds the bytes of long submissions that a worker has at once. A submission enters before its claim, in the order of
 * arrival. One that is larger than the room enters once it is alone, and none overtakes it.
 */
export class SubmissionRoom {
  #usedBytes = 0;
  #entered = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(readonly limitBytes: number) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Submissions that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves to what frees the room; call it once. Undefined: `stop` has aborted first. A short body enters at once. */
  async enter(bytes: number | undefined, stop: AbortSignal): Promise<(() => void) | undefined> {
    if (bytes === undefined) return () => undefined;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting: Waiting = { bytes, enter: () => resolve(true) };
    const leave = (): void => {
      if (this.#waiting.delete(waiting)) resolve(false);
      this.#admit();
    };
    this.#waiting.add(waiting);
    stop.addEventListener('abort', leave, { once: true });
    if (stop.aborted) leave();
    this.#admit();
    const hasEntered = await promise;
    stop.removeEventListener('abort', leave);
    return hasEntered ? () => this.#free(bytes) : undefined;
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (this.#entered > 0 && this.#usedBytes + waiting.bytes > this.limitBytes) return;
      this.#waiting.delete(waiting);
      this.#entered += 1;
      this.#usedBytes += waiting.bytes;
      waiting.enter();
    }
  }

  #free(bytes: number): void {
    this.#entered -= 1;
    this.#usedBytes -= bytes;
    this.#admit();
  }
}
