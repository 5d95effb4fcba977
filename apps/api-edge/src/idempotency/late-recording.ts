import type { ResponseHead } from '@gateway/contracts';
import { MAX_EARLIER_BYTES } from '@gateway/redis';
import type { ResponseRecording } from '../edge-request.js';

const NOTHING = Buffer.alloc(0);

/** What a late recording needs of its process. */
export interface LateRecordingPorts {
  /** False if the process keeps too many bytes already. */
  readonly reserve: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
  /** Opens the recording that stores the response. */
  readonly open: () => ResponseRecording;
}

/** Stores a response only if its client leaves. Until then it keeps the beginning of a stream, and delays nothing. */
export class LateRecording implements ResponseRecording {
  #head: ResponseHead | undefined;
  #earlier: Buffer[] = [];
  #bytes = 0;
  #isLost = false;
  #recording: ResponseRecording | undefined;

  constructor(
    private readonly isStream: boolean,
    private readonly ports: LateRecordingPorts,
  ) {}

  get isActive(): boolean {
    return this.#recording !== undefined;
  }

  head(head: ResponseHead): void {
    this.#head = head;
    this.#recording?.head(head);
  }

  data(chunk: Buffer): Buffer | undefined {
    if (this.#recording !== undefined) return this.#recording.data(chunk);
    if (!this.#isLost) this.#keep(chunk);
    return chunk;
  }

  leave(): boolean {
    if (this.#isLost) return false;
    if (this.#recording !== undefined) return true;
    const recording = this.ports.open();
    if (this.#head !== undefined) recording.head(this.#head);
    for (const chunk of this.#earlier) recording.data(chunk);
    this.#forget();
    this.#recording = recording;
    return true;
  }

  end(trailer: string | undefined): Promise<Buffer> {
    return this.#recording?.end(trailer) ?? Promise.resolve(NOTHING);
  }

  async release(): Promise<void> {
    this.#isLost = true;
    this.#forget();
    await this.#recording?.release();
  }

  /** A response that is no stream comes at once: who leaves within it has seen its beginning. */
  #keep(chunk: Buffer): void {
    const fits = this.isStream && this.#bytes + chunk.length <= MAX_EARLIER_BYTES && this.ports.reserve(chunk.length);
    if (!fits) {
      this.#isLost = true;
      this.#forget();
      return;
    }
    this.#bytes += chunk.length;
    // The relay reuses the chunk's memory.
    this.#earlier.push(Buffer.from(chunk));
  }

  #forget(): void {
    this.ports.release(this.#bytes);
    this.#bytes = 0;
    this.#earlier = [];
  }
}
