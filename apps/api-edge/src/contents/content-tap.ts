import type { ResponseHead } from '@gateway/contracts';
import type { ContentPart, RequestContent } from '@gateway/postgres';
import type { ResponseObserver } from '../edge-request.js';

/** Of a request and of a response at most so much is kept. */
export const MAX_PART_BYTES = 1024 * 1024;

export interface TapPorts {
  /** False: this process has no room for so many bytes more. */
  readonly reserve: (bytes: number) => boolean;
  /** Called once. `heldBytes`: what was reserved. */
  readonly done: (seen: Pick<RequestContent, 'response' | 'isResult' | 'isComplete'>, heldBytes: number) => void;
}

/** Copies the beginning of a response on its way out. It reads nothing and delays nothing. */
export class ContentTap implements ResponseObserver {
  readonly #chunks: Buffer[] = [];
  #contentType: string | undefined;
  #bytes = 0;
  #isTruncated = false;
  #isComplete = false;
  #isDone = false;

  constructor(private readonly ports: TapPorts) {}

  head({ headers }: Pick<ResponseHead, 'headers'>): void {
    this.#contentType = headers['content-type'] ?? '';
  }

  data(chunk: Buffer): void {
    if (this.#isTruncated || this.#isDone) return;
    const taken = chunk.subarray(0, MAX_PART_BYTES - this.#bytes);
    const hasRoom = this.ports.reserve(taken.length);
    this.#isTruncated = !hasRoom || taken.length < chunk.length;
    if (!hasRoom) return;
    // The relay reuses the chunk's memory.
    this.#chunks.push(Buffer.from(taken));
    this.#bytes += taken.length;
  }

  complete(): void {
    this.#isComplete = true;
  }

  end(): void {
    this.#done(false);
  }

  endAsResult(): void {
    this.#done(true);
  }

  #done(isResult: boolean): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.ports.done({ response: this.#response(), isResult, isComplete: this.#isComplete }, this.#bytes);
  }

  #response(): ContentPart | null {
    if (this.#contentType === undefined) return null;
    return { contentType: this.#contentType, bytes: Buffer.concat(this.#chunks), isTruncated: this.#isTruncated };
  }
}
