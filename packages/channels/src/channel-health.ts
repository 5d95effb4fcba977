import { ConsecutiveBreaker } from 'cockatiel';
import { Breaker, ChannelIll } from './breaker.js';

const FAILURES_TO_OPEN = 5;
/** So that what turns everybody away was seen by three accounts at least. */
const FAILURES_COUNTED_OF_ONE = 2;
const FAILED_ACCOUNTS_REMEMBERED = 1_000;

interface OfAccount {
  readonly breaker: Breaker;
  running: number;
  /** The last call of it that ended. */
  hasFailed: boolean;
}

/**
 * Whether a call to a channel is worth making, for each account: one whose prompts the vendor cannot digest sees nothing but
 * failures where all others are served. So each has a breaker of its own. What several of them see in a row, without one success
 * between, holds for all: not everybody has to find out.
 */
export class ChannelHealth {
  readonly #accounts = new Map<string, OfAccount>();
  /** Since the last success of anybody. */
  readonly #failuresByAccount = new Map<string, number>();
  readonly #ofAll: Breaker;
  #isSaidIll = false;

  /** `onIll` hears that somebody is turned away, and of the first success of anybody after that. */
  constructor(private readonly onIll: (isIll: boolean) => void) {
    const failures = { state: undefined, success: () => undefined, failure: () => this.#haveSeveralFailed };
    this.#ofAll = new Breaker(failures, () => this.#say(true));
  }

  isBrokenFor(accountId: string): boolean {
    return this.#ofAll.isOpen || this.#accounts.get(accountId)?.breaker.isOpen === true;
  }

  /** Runs one attempt. Undefined: a breaker let nothing through. */
  async attempt<Result>(accountId: string, run: () => Promise<Result>): Promise<Result | undefined> {
    // Looked at first: a trial of the one of all that only an account's own turned away would count as one that went well.
    if (this.isBrokenFor(accountId)) return undefined;
    const account = this.#accountOf(accountId);
    account.running += 1;
    try {
      return await this.#ofAll.execute(() => account.breaker.execute(() => this.#noted(accountId, account, run)));
    } finally {
      account.running -= 1;
      this.#forget(accountId, account);
    }
  }

  async #noted<Result>(accountId: string, account: OfAccount, run: () => Promise<Result>): Promise<Result> {
    try {
      const result = await run();
      account.hasFailed = false;
      this.#failuresByAccount.clear();
      this.#say(false);
      return result;
    } catch (error) {
      if (error instanceof ChannelIll) {
        account.hasFailed = true;
        const count = this.#failuresByAccount.get(accountId) ?? 0;
        if (!this.#haveSeveralFailed) this.#failuresByAccount.set(accountId, count + 1);
      }
      throw error;
    }
  }

  get #haveSeveralFailed(): boolean {
    let counted = 0;
    for (const failures of this.#failuresByAccount.values()) counted += Math.min(failures, FAILURES_COUNTED_OF_ONE);
    return counted >= FAILURES_TO_OPEN;
  }

  #accountOf(accountId: string): OfAccount {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const breaker = new Breaker(new ConsecutiveBreaker(FAILURES_TO_OPEN), () => this.#say(true));
    const account = { breaker, running: 0, hasFailed: false };
    this.#accounts.set(accountId, account);
    return account;
  }

  /** Only what has failed is worth remembering, and of too many the first ones are not. */
  #forget(accountId: string, { running, hasFailed }: OfAccount): void {
    if (running === 0 && !hasFailed) this.#accounts.delete(accountId);
    if (this.#accounts.size <= FAILED_ACCOUNTS_REMEMBERED) return;
    for (const [oldest, { running: stillRunning }] of this.#accounts) {
      if (stillRunning === 0) return void this.#accounts.delete(oldest);
    }
  }

  #say(isIll: boolean): void {
    if (isIll === this.#isSaidIll) return;
    this.#isSaidIll = isIll;
    this.onIll(isIll);
  }
}
