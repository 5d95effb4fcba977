import { ConsecutiveBreaker } from 'cockatiel';
import { Breaker, ChannelUnhealthy } from './breaker.js';

const FAILURES_TO_OPEN = 5;
/** Limits each account's share, so that the global breaker opens only after failures of at least three accounts. */
const MAX_FAILURES_PER_ACCOUNT = 2;
const MAX_REMEMBERED_ACCOUNTS = 1_000;

interface AccountHealth {
  readonly breaker: Breaker;
  running: number;
  /** Outcome of the account's last finished call. */
  hasFailed: boolean;
}

/**
 * The breakers of one channel: one for each account, and a global one.
 * One account's prompts may fail where all others succeed, so its failures alone must not close the channel for them.
 * The global breaker opens after five failures in a row, without a success of any account, of at least three accounts.
 */
export class ChannelHealth {
  readonly #accounts = new Map<string, AccountHealth>();
  /** Failures since the last success of any account. */
  readonly #failuresByAccount = new Map<string, number>();
  readonly #global: Breaker;
  #isReportedUnhealthy = false;

  /** `onChange` receives true once any breaker opens, and false at the next success of any account. */
  constructor(private readonly onChange: (isUnhealthy: boolean) => void) {
    const failures = { state: undefined, success: () => undefined, failure: () => this.#isGloballyFailing };
    this.#global = new Breaker(failures, () => this.#report(true));
  }

  /** True while no account may call. */
  get isBroken(): boolean {
    return this.#global.isOpen;
  }

  /** Accounts whose own breaker rejects their calls. */
  get brokenAccounts(): number {
    return [...this.#accounts.values()].filter(({ breaker }) => breaker.isOpen).length;
  }

  isBrokenFor(accountId: string): boolean {
    return this.#global.isOpen || this.#accounts.get(accountId)?.breaker.isOpen === true;
  }

  /** Milliseconds until the breakers admit a call of this account; 0 if they do now. */
  remainingMs(accountId: string): number {
    return Math.max(this.#global.remainingMs, this.#accounts.get(accountId)?.breaker.remainingMs ?? 0);
  }

  /** Runs one attempt. Undefined: a breaker rejected it. */
  async attempt<Result>(accountId: string, run: () => Promise<Result>): Promise<Result | undefined> {
    // Check both breakers first: a half-open global breaker would record the account breaker's rejection as a success.
    if (this.isBrokenFor(accountId)) return undefined;
    const account = this.#accountOf(accountId);
    account.running += 1;
    try {
      return await this.#global.execute(() => account.breaker.execute(() => this.#recorded(accountId, account, run)));
    } finally {
      account.running -= 1;
      this.#prune(accountId, account);
    }
  }

  async #recorded<Result>(accountId: string, account: AccountHealth, run: () => Promise<Result>): Promise<Result> {
    try {
      const result = await run();
      account.hasFailed = false;
      // Clearing makes a new table even of an empty map.
      if (this.#failuresByAccount.size > 0) this.#failuresByAccount.clear();
      this.#report(false);
      return result;
    } catch (error) {
      if (error instanceof ChannelUnhealthy) {
        account.hasFailed = true;
        const count = this.#failuresByAccount.get(accountId) ?? 0;
        if (!this.#isGloballyFailing) this.#failuresByAccount.set(accountId, count + 1);
      }
      throw error;
    }
  }

  get #isGloballyFailing(): boolean {
    let counted = 0;
    for (const failures of this.#failuresByAccount.values()) counted += Math.min(failures, MAX_FAILURES_PER_ACCOUNT);
    return counted >= FAILURES_TO_OPEN;
  }

  #accountOf(accountId: string): AccountHealth {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const breaker = new Breaker(new ConsecutiveBreaker(FAILURES_TO_OPEN), () => this.#report(true));
    const account = { breaker, running: 0, hasFailed: false };
    this.#accounts.set(accountId, account);
    return account;
  }

  /** Bounds memory: drops an account after a success, and the oldest idle one above the limit. */
  #prune(accountId: string, { running, hasFailed }: AccountHealth): void {
    if (running === 0 && !hasFailed) this.#accounts.delete(accountId);
    if (this.#accounts.size <= MAX_REMEMBERED_ACCOUNTS) return;
    for (const [oldest, { running: stillRunning }] of this.#accounts) {
      if (stillRunning === 0) return void this.#accounts.delete(oldest);
    }
  }

  #report(isUnhealthy: boolean): void {
    if (isUnhealthy === this.#isReportedUnhealthy) return;
    this.#isReportedUnhealthy = isUnhealthy;
    this.onChange(isUnhealthy);
  }
}
