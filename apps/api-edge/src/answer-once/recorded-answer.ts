import type { AnswerHead } from '@gateway/contracts';
import type { KeptAnswer } from '@gateway/redis';
import type { AnswerRecording } from '../answer-recording.js';

/** A longer answer is not kept: of it, only that it was given. */
export const KEPT_BYTES_AT_MOST = 1024 * 1024;

/** What becomes of a recording: one of the two, and neither ever rejects. */
export interface RecordingEnds {
  readonly keep: (answer: KeptAnswer) => Promise<void>;
  readonly free: () => Promise<void>;
}

/** The bytes of one answer as they go out, as long as they are few enough to be kept. */
export class RecordedAnswer implements AnswerRecording {
  #head: AnswerHead | undefined;
  #pieces: Buffer[] | undefined = [];
  #bytes = 0;
  /** Still to come, if the answer says how long it is. */
  #remaining = Number.NaN;
  #heldBack: Buffer[] = [];

  constructor(private readonly ends: RecordingEnds) {}

  head(head: AnswerHead): void {
    this.#head = head;
    this.#remaining = Number(head.headers['content-length']);
  }

  data(chunk: Buffer): Buffer | undefined {
    this.#remaining -= chunk.length;
    // The chunk is a view into a message that will be used again.
    const copy = Buffer.from(chunk);
    this.#record(copy);
    if (this.#remaining !== 0) return chunk;
    this.#heldBack.push(copy);
    return undefined;
  }

  async end(lastWords: string | undefined): Promise<Buffer> {
    if (lastWords !== undefined) {
      const last = Buffer.from(lastWords);
      this.#record(last);
      this.#heldBack.push(last);
    }
    await this.ends.keep({
      status: this.#head?.status ?? 200,
      contentType: this.#head?.headers['content-type'] ?? 'application/octet-stream',
      body: this.#pieces && Buffer.concat(this.#pieces),
    });
    return Buffer.concat(this.#heldBack);
  }

  free(): Promise<void> {
    return this.ends.free();
  }

  #record(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > KEPT_BYTES_AT_MOST) this.#pieces = undefined;
    this.#pieces?.push(piece);
  }
}
