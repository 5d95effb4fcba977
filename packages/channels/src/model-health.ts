import { Breaker, ChannelUnhealthy } from './breaker.js';
import { SharedFailures } from './shared-failures.js';

const FAILURES_TO_OPEN = 5;
const MAX_REMEMBERED_ACCOUNTS = 1_000;

interface AccountHealth {
  readonly breaker: Breaker;
  running: number;
  failuresInRow: number;
}

/**
 * The breakers of one model on one channel: one for each account, and a shared one.
 * One account's prompts may fail where all others succeed, so its failures alone must not close the model for them.
 * The shared breaker opens after five failures in a row, without a success of any account, of at least three accounts.
 */
export class ModelHealth {
  readonly #accounts = new Map<string, AccountHealth>();
  readonly #failures = new SharedFailures();
  readonly #shared: Breaker;

  /** `onOpen` is called each time that a breaker opens. */
  constructor(private readonly onOpen: () => void) {
    this.#shared = new Breaker(() => this.#failures.areMany, onOpen);
  }

  /** Milliseconds until any account may call; 0 if it may now. */
  get sharedRemainingMs(): number {
    return this.#shared.remainingMs;
  }

  /** Accounts whose own breaker rejects their calls. */
  get brokenAccounts(): readonly string[] {
    return [...this.#accounts].filter(([, { breaker }]) => breaker.isOpen).map(([accountId]) => accountId);
  }

  isBrokenFor(accountId: string): boolean {
    return this.#shared.isOpen || this.#accounts.get(accountId)?.breaker.isOpen === true;
  }

  /** Milliseconds until the breakers admit a call of this account; 0 if they do now. */
  remainingMs(accountId: string): number {
    return Math.max(this.#shared.remainingMs, this.#accounts.get(accountId)?.breaker.remainingMs ?? 0);
  }

  /** Runs one attempt. Undefined: a breaker rejected it. */
  async attempt<Result>(accountId: string, run: () => Promise<Result>): Promise<Result | undefined> {
    // Check both breakers first: a trial of the shared one would record the account's rejection as a success.
    if (this.isBrokenFor(accountId)) return undefined;
    const account = this.#accountOf(accountId);
    account.running += 1;
    try {
      return await this.#shared.execute(() => account.breaker.execute(() => this.#recorded(accountId, account, run)));
    } finally {
      account.running -= 1;
      this.#prune(accountId, account);
    }
  }

  async #recorded<Result>(accountId: string, account: AccountHealth, run: () => Promise<Result>): Promise<Result> {
    try {
      const result = await run();
      account.failuresInRow = 0;
      this.#failures.onSuccess();
      return result;
    } catch (error) {
      if (error instanceof ChannelUnhealthy) {
        account.failuresInRow += 1;
        this.#failures.add(accountId);
      }
      throw error;
    }
  }

  #accountOf(accountId: string): AccountHealth {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const account: AccountHealth = {
      breaker: new Breaker(() => account.failuresInRow >= FAILURES_TO_OPEN, this.onOpen),
      running: 0,
      failuresInRow: 0,
    };
    this.#accounts.set(accountId, account);
    return account;
  }

  /** Bounds memory: drops an account after a success, and the oldest idle one above the limit. */
  #prune(accountId: string, { running, failuresInRow }: AccountHealth): void {
    if (running === 0 && failuresInRow === 0) this.#accounts.delete(accountId);
    if (this.#accounts.size <= MAX_REMEMBERED_ACCOUNTS) return;
    for (const [oldest, { running: stillRunning }] of this.#accounts) {
      if (stillRunning === 0) return void this.#accounts.delete(oldest);
    }
  }
}
