import type { SpillPorts } from '../idempotency/spilled-response.js';

/** Lets the event loop turn until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** The response store as one response sees it. */
export class SpillInMemory {
  readonly chunks: Buffer[] = [];
  readonly reasons: unknown[] = [];
  deletions = 0;
  /** Reserved bytes that are not written yet. */
  pendingBytes = 0;

  readonly ports: SpillPorts = {
    putChunk: async (number, bytes) => {
      if (number !== this.chunks.length) throw new Error(`chunk ${number} does not follow ${this.chunks.length}`);
      this.chunks.push(bytes);
    },
    delete: async () => {
      this.deletions += 1;
    },
    reserve: (bytes) => {
      this.pendingBytes += bytes;
      return true;
    },
    release: (bytes) => {
      this.pendingBytes -= bytes;
    },
    onAbandoned: (reason) => void this.reasons.push(reason),
  };
}
