import type { ShelfPorts } from '../answer-once/shelved-answer.js';

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** The shelf as one answer sees it. */
export class ShelfInMemory {
  readonly pieces: Buffer[] = [];
  readonly reasons: unknown[] = [];
  drops = 0;
  /** What waits to be written. */
  waitingBytes = 0;

  readonly ports: ShelfPorts = {
    put: async (number, bytes) => {
      if (number !== this.pieces.length) throw new Error(`piece ${number} does not follow ${this.pieces.length}`);
      this.pieces.push(bytes);
    },
    drop: async () => {
      this.drops += 1;
    },
    reserve: (bytes) => {
      this.waitingBytes += bytes;
      return true;
    },
    release: (bytes) => {
      this.waitingBytes -= bytes;
    },
    onGivenUp: (reason) => void this.reasons.push(reason),
  };
}
