import { type ResponseHead, storedChangeHeaders } from '@gateway/contracts';
import { MAX_REDIS_BYTES, type StoredResponse } from '@gateway/redis';
import type { ResponseRecording } from '../edge-request.js';
import type { SpilledResponse } from './spilled-response.js';

/** How a recording ends: its response is stored, or its key released. Neither rejects. */
export interface RecordingPorts {
  /** Called when the response gets too large for Redis. */
  readonly spill: () => SpilledResponse;
  /** Without a body, Redis stores only that the request has succeeded. */
  readonly store: (response: StoredResponse<StoredResponse['body'] | undefined>) => Promise<void>;
  readonly release: () => Promise<void>;
  /** The client has left, so the response may be fetched by the id of its request. */
  readonly onLeft: () => void;
}

/** Records one response as it goes out: in memory up to `MAX_REDIS_BYTES`, spilled from then on. */
export class RecordedResponse implements ResponseRecording {
  readonly isActive = true;
  #head: ResponseHead | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #spilled: SpilledResponse | undefined;
  /** Bytes that are still to come; NaN if the response has no `content-length`. */
  #remaining = Number.NaN;
  #heldBack: Buffer[] = [];

  constructor(private readonly ports: RecordingPorts) {}

  head(head: ResponseHead): void {
    this.#head = head;
    this.#remaining = Number(head.headers['content-length']);
  }

  data(chunk: Buffer): Buffer | undefined {
    this.#remaining -= chunk.length;
    // The relay reuses the chunk's memory.
    const copy = Buffer.from(chunk);
    this.#record(copy);
    if (this.#remaining !== 0) return chunk;
    this.#heldBack.push(copy);
    return undefined;
  }

  leave(): boolean {
    this.ports.onLeft();
    return true;
  }

  async end(trailer: string | undefined): Promise<Buffer> {
    if (trailer !== undefined) {
      const last = Buffer.from(trailer);
      this.#record(last);
      this.#heldBack.push(last);
    }
    await this.ports.store({
      status: this.#head?.status ?? 200,
      contentType: this.#head?.headers['content-type'] ?? 'application/octet-stream',
      ...(this.#head?.changes !== undefined && { changes: storedChangeHeaders(this.#head.changes) }),
      body: this.#spilled === undefined ? Buffer.concat(this.#chunks) : await this.#spilled.end(),
    });
    return Buffer.concat(this.#heldBack);
  }

  release(): Promise<void> {
    this.#spilled?.discard();
    return this.ports.release();
  }

  #record(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#spilled !== undefined) {
      this.#spilled.write(chunk);
      return;
    }
    this.#chunks.push(chunk);
    if (this.#bytes > MAX_REDIS_BYTES) this.#spill();
  }

  #spill(): void {
    this.#spilled = this.ports.spill();
    this.#spilled.write(Buffer.concat(this.#chunks));
    this.#chunks = [];
  }
}
