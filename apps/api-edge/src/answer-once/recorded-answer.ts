import type { ResponseHead } from '@gateway/contracts';
import type { StoredResponse } from '@gateway/redis';
import type { AnswerRecording } from '../answer-recording.js';
import type { ShelvedAnswer } from './shelved-answer.js';

/** A longer answer is kept on the shelf. */
export const KEPT_IN_REDIS_BYTES_AT_MOST = 1024 * 1024;

/** What becomes of a recording: it is kept or freed, and neither ever rejects. */
export interface RecordingEnds {
  /** The answer is too large for Redis. */
  readonly shelve: () => ShelvedAnswer;
  /** Without a body: nobody has it. */
  readonly keep: (answer: StoredResponse<StoredResponse['body'] | undefined>) => Promise<void>;
  readonly free: () => Promise<void>;
}

/** The bytes of one answer as they go out: held here as long as they are few, on their way to the shelf from then on. */
export class RecordedAnswer implements AnswerRecording {
  #head: ResponseHead | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #shelved: ShelvedAnswer | undefined;
  /** Still to come, if the answer says how long it is. */
  #remaining = Number.NaN;
  #heldBack: Buffer[] = [];

  constructor(private readonly ends: RecordingEnds) {}

  head(head: ResponseHead): void {
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
      body: this.#shelved === undefined ? Buffer.concat(this.#pieces) : await this.#shelved.end(),
    });
    return Buffer.concat(this.#heldBack);
  }

  free(): Promise<void> {
    this.#shelved?.drop();
    return this.ends.free();
  }

  #record(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#shelved !== undefined) this.#shelved.write(piece);
    else {
      this.#pieces.push(piece);
      if (this.#bytes > KEPT_IN_REDIS_BYTES_AT_MOST) this.#shelve();
    }
  }

  #shelve(): void {
    this.#shelved = this.ends.shelve();
    this.#shelved.write(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }
}
