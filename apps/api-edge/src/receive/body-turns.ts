import type { Readable } from 'node:stream';

/** What one turn of the event loop reads of long bodies: it takes about half a millisecond. */
const BYTES_PER_TURN = 512 * 1024;

/**
 * Reads long bodies in small parts, so that short requests between them do not wait. Without it, libuv reads two megabytes of
 * each connection before it looks at the next one.
 */
export class BodyTurns {
  #leftBytes = BYTES_PER_TURN;
  readonly #paused: Readable[] = [];
  #hasTimer = false;

  /** `schedule`: runs a function in the next turn. */
  constructor(private readonly schedule: (run: () => void) => unknown = setImmediate) {}

  /** Call it just before the body is read: it starts to flow. */
  pace(body: Readable): void {
    body.on('data', (chunk: Buffer) => {
      this.#expectTurn();
      this.#leftBytes -= chunk.length;
      if (this.#leftBytes > 0) return;
      body.pause();
      this.#paused.push(body);
    });
  }

  #expectTurn(): void {
    if (this.#hasTimer) return;
    this.#hasTimer = true;
    this.schedule(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#hasTimer = false;
    this.#leftBytes = BYTES_PER_TURN;
    for (const body of this.#paused.splice(0)) body.resume();
  };
}
