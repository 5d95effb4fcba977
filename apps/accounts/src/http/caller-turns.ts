import { GatewayError } from '@gateway/contracts';

/** A page of the console sends about as many at once. */
const AT_ONCE = 6;
/** A program that reads its receipts may ask for hundreds together. */
const MAX_WAITING = 1_000;
const RETRY_AFTER_MS = 1_000;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** How many requests of one caller run at once in this process. Further ones wait for a turn, so a flood delays itself. */
export class CallerTurns {
  /** Those of whom a request runs. */
  readonly #callers = new Map<string, Turns>();

  /** Resolves once it is the caller's turn, to what ends the turn. Throws 429 if too many of the caller wait. */
  async begin(caller: string): Promise<() => void> {
    const turns = this.#callers.get(caller) ?? { running: 0, waiting: [] };
    this.#callers.set(caller, turns);
    if (turns.running < AT_ONCE) turns.running += 1;
    else await this.#wait(turns);
    return () => this.#end(caller, turns);
  }

  async #wait({ waiting }: Turns): Promise<void> {
    if (waiting.length >= MAX_WAITING) {
      const message = 'Too many of your requests wait already. Send fewer at once.';
      throw new GatewayError('rate_limit_exceeded', message, { retryAfterMs: RETRY_AFTER_MS });
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  }

  /** The next one takes over the place. */
  #end(caller: string, turns: Turns): void {
    const next = turns.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    turns.running -= 1;
    if (turns.running === 0) this.#callers.delete(caller);
  }
}
