import type { ResponseHead } from '@gateway/contracts';

/** Hears an answer on its way out, where its client may ask for it again. */
export interface AnswerRecording {
  head(head: ResponseHead): void;
  /** What may go out now: the last bytes of an answer of known length wait until it is kept. */
  data(chunk: Buffer): Buffer | undefined;
  /** Keeps the answer, then gives the bytes that end it. Never rejects: an answer that cannot be kept is an answer still. */
  end(lastWords: string | undefined): Promise<Buffer>;
  /** There is no whole answer, or there will be none. Never rejects; to be called as often as one likes. */
  free(): Promise<void>;
}
