import type { SpilledBody } from '@gateway/redis';

/** About so large is a piece: what is waited for in one statement. */
const PIECE_BYTES = 1024 * 1024;
/** A longer answer is not kept at all. */
export const SHELVED_BYTES_AT_MOST = 64 * 1024 * 1024;
/** So long one piece may take: the end of an answer waits for the last one. */
const PIECE_WITHIN_MS = 10_000;

/** What one answer needs of the shelf. */
export interface ShelfPorts {
  /** Number 0 first, one after the other. */
  readonly put: (number: number, bytes: Buffer) => Promise<void>;
  /** What was put is of no use. Never rejects. */
  readonly drop: () => Promise<void>;
  /** False: too much waits in this process to be written. What was reserved is released once. */
  readonly reserve: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
  readonly onGivenUp: (reason: unknown) => void;
}

/** One answer on its way to the shelf, piece by piece while it flows. What fails once is given up: it is an answer still. */
export class ShelvedAnswer {
  #next: Buffer[] = [];
  #nextBytes = 0;
  #bytes = 0;
  #pieces = 0;
  #writing: Promise<void> = Promise.resolve();
  #isGivenUp = false;

  constructor(private readonly ports: ShelfPorts) {}

  /** `bytes` must not be used again. */
  write(bytes: Buffer): void {
    if (this.#isGivenUp) return;
    this.#bytes += bytes.length;
    if (this.#bytes > SHELVED_BYTES_AT_MOST) this.#giveUp('it is too large');
    else if (this.ports.reserve(bytes.length)) this.#take(bytes);
    else this.#giveUp('too many answers wait to be written');
  }

  /** Fulfilled once all of it is there. Undefined: it is not, and never will be. */
  async end(): Promise<SpilledBody | undefined> {
    if (this.#nextBytes > 0) this.#putNext();
    await this.#writing;
    return this.#isGivenUp ? undefined : { bytesApart: this.#bytes };
  }

  /** Takes back what is there: nobody will ask for it. */
  drop(): void {
    if (!this.#isGivenUp) this.#leave();
  }

  #take(bytes: Buffer): void {
    this.#next.push(bytes);
    this.#nextBytes += bytes.length;
    if (this.#nextBytes >= PIECE_BYTES) this.#putNext();
  }

  #putNext(): void {
    const [number, bytes] = [this.#pieces, Buffer.concat(this.#next)];
    this.#pieces += 1;
    this.#next = [];
    this.#nextBytes = 0;
    this.#writing = this.#writing
      .then(() => (this.#isGivenUp ? undefined : inTime(this.ports.put(number, bytes))))
      .catch((error: unknown) => this.#giveUp(error))
      .finally(() => this.ports.release(bytes.length));
  }

  #giveUp(reason: unknown): void {
    if (this.#isGivenUp) return;
    this.#leave();
    this.ports.onGivenUp(reason);
  }

  #leave(): void {
    this.#isGivenUp = true;
    this.ports.release(this.#nextBytes);
    this.#next = [];
    this.#nextBytes = 0;
    if (this.#pieces > 0) void this.#writing.then(() => this.ports.drop());
  }
}

/** What comes too late is there all the same; it is dropped, or goes when its time is over. */
async function inTime(put: Promise<void>): Promise<void> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLate.reject(new Error('a piece took too long')), PIECE_WITHIN_MS);
  try {
    await Promise.race([put, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}
