import type { Readable } from 'node:stream';
import { NextTurn } from './next-turn.js';

/** What one turn of the event loop reads of long bodies: it takes about half a millisecond. */
const BYTES_PER_TURN = 512 * 1024;

/**
 * Reads long bodies in small parts, so that short requests between them do not wait. Without it, libuv reads two megabytes of
 * each connection before it looks at the next one.
 */
export class BodyTurns {
  #leftBytes = BYTES_PER_TURN;
  readonly #paused: Readable[] = [];
  readonly #nextTurn: NextTurn;

  /** `schedule`: runs a function in the next turn. */
  constructor(schedule: (run: () => void) => unknown = setImmediate) {
    this.#nextTurn = new NextTurn(() => this.#begin(), schedule);
  }

  /** Call it just before the body is read: it starts to flow. */
  pace(body: Readable): void {
    body.on('data', (chunk: Buffer) => {
      this.#nextTurn.expect();
      this.#leftBytes -= chunk.length;
      if (this.#leftBytes > 0) return;
      body.pause();
      this.#paused.push(body);
    });
  }

  #begin(): void {
    this.#leftBytes = BYTES_PER_TURN;
    for (const body of this.#paused.splice(0)) body.resume();
  }
}
