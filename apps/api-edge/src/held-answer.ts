import type { ResponseHead } from '@gateway/contracts';

/** Takes an answer in place of the client's socket, where its client waits for what comes after it. */
export interface HeldAnswer {
  /** False: the answer is for the client after all. */
  holdsBack(head: Pick<ResponseHead, 'status'>): boolean;
  take(piece: Buffer): void;
  /** The answer is whole. */
  end(last: Buffer | string | undefined): void;
}
