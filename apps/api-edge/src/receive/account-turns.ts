import type { AccountId } from '@gateway/contracts';
import { NextTurn } from './next-turn.js';

/** Requests that start in one turn of the event loop. Each takes about a third of a millisecond of it. */
const STARTS_PER_TURN = 16;

/**
 * Lets requests start in turn by account once many have come in one turn of the event loop. So a request waits for a few
 * of another account, and not for the hundreds that came before it. It refuses nothing and costs an idle process nothing.
 */
export class AccountTurns {
  /** In the order of their turns. Each account's requests are in the order of their arrival. */
  #waiting = new Map<AccountId, (() => void)[]>();
  #started = 0;
  readonly #nextTurn: NextTurn;

  /** `schedule`: runs a function in the next turn. */
  constructor(schedule: (run: () => void) => unknown = setImmediate) {
    this.#nextTurn = new NextTurn(() => this.#begin(), schedule);
  }

  /** `undefined`: the request may start now. Else it may once the promise resolves. */
  take(accountId: AccountId): Promise<void> | undefined {
    this.#nextTurn.expect();
    if (this.#waiting.size === 0 && this.#started < STARTS_PER_TURN) {
      this.#started += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(accountId);
      if (waiting === undefined) this.#waiting.set(accountId, [resolve]);
      else waiting.push(resolve);
    });
  }

  #begin(): void {
    this.#started = 0;
    for (const [accountId, waiting] of this.#waiting) {
      if (this.#started === STARTS_PER_TURN) break;
      this.#started += 1;
      waiting.shift()?.();
      this.#waiting.delete(accountId);
      // Set again, it moves to the end of the map.
      if (waiting.length > 0) this.#waiting.set(accountId, waiting);
    }
    if (this.#waiting.size > 0) this.#nextTurn.expect();
    // A map that is only emptied keeps what was in it: decision 0102.
    else if (this.#started > 0) this.#waiting = new Map();
  }
}
