import { withTimeout } from '@gateway/observability';
import { SPILL_CHUNK_BYTES, type SpilledBody } from '@gateway/redis';

/** A longer response is not stored at all. */
export const MAX_SPILLED_BYTES = 64 * 1024 * 1024;
/** The end of a response waits for its last chunk, so a slow write must not delay it further. */
const CHUNK_TIMEOUT_MS = 10_000;

/** The store as one response sees it. */
export interface SpillPorts {
  /** The caller puts one chunk at a time, in order, from 0. */
  readonly putChunk: (number: number, bytes: Buffer) => Promise<void>;
  /** Deletes the stored chunks. Never rejects. */
  readonly delete: () => Promise<void>;
  /** False if too many bytes of this process are pending. Reserved bytes are released exactly once. */
  readonly reserve: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
  readonly onAbandoned: (reason: unknown) => void;
}

/** Spills one response to the store while it is sent. The first failure abandons the spill, never the response itself. */
export class SpilledResponse {
  #buffer: Buffer[] = [];
  #bufferedBytes = 0;
  #totalBytes = 0;
  #chunkCount = 0;
  #writing: Promise<void> = Promise.resolve();
  #isAbandoned = false;

  constructor(private readonly ports: SpillPorts) {}

  /** Takes ownership of `bytes`. */
  write(bytes: Buffer): void {
    if (this.#isAbandoned) return;
    this.#totalBytes += bytes.length;
    if (this.#totalBytes > MAX_SPILLED_BYTES) this.#abandon('the response is too large');
    else if (this.ports.reserve(bytes.length)) this.#append(bytes);
    else this.#abandon('too many responses wait to be written');
  }

  /** Resolves once all bytes are stored; to undefined if the spill was abandoned. */
  async end(): Promise<SpilledBody | undefined> {
    if (this.#bufferedBytes > 0) this.#flush();
    await this.#writing;
    return this.#isAbandoned ? undefined : { spilledBytes: this.#totalBytes };
  }

  /** Deletes the stored chunks, because the response broke off. */
  discard(): void {
    if (!this.#isAbandoned) this.#stop();
  }

  #append(bytes: Buffer): void {
    this.#buffer.push(bytes);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes >= SPILL_CHUNK_BYTES) this.#flush();
  }

  #flush(): void {
    const [number, bytes] = [this.#chunkCount, Buffer.concat(this.#buffer)];
    this.#chunkCount += 1;
    this.#buffer = [];
    this.#bufferedBytes = 0;
    this.#writing = this.#writing
      .then(() => (this.#isAbandoned ? undefined : this.#putChunk(number, bytes)))
      .catch((error: unknown) => this.#abandon(error))
      .finally(() => this.ports.release(bytes.length));
  }

  /** A chunk that arrives after the time-out is deleted with the others, or expires. */
  #putChunk(number: number, bytes: Buffer): Promise<void> {
    return withTimeout(this.ports.putChunk(number, bytes), CHUNK_TIMEOUT_MS, () => {
      throw new Error('writing a chunk took too long');
    });
  }

  #abandon(reason: unknown): void {
    if (this.#isAbandoned) return;
    this.#stop();
    this.ports.onAbandoned(reason);
  }

  #stop(): void {
    this.#isAbandoned = true;
    this.ports.release(this.#bufferedBytes);
    this.#buffer = [];
    this.#bufferedBytes = 0;
    if (this.#chunkCount > 0) void this.#writing.then(() => this.ports.delete());
  }
}
