import { Breaker, ChannelUnhealthy } from './breaker.js';
import { ModelHealth } from './model-health.js';
import { SharedFailures } from './shared-failures.js';

/** A vendor often fails for one model only, which must not close its other models. */
const MODELS_TO_OPEN = 2;

/** Who calls the channel, and for what. */
export interface ChannelUse {
  readonly accountId: string;
  readonly model: string;
}

/**
 * The breakers of one channel: those of each model, and one of the whole channel.
 * That one opens after five failures in a row, without any success, of at least three accounts and two models.
 */
export class ChannelHealth {
  readonly #models = new Map<string, ModelHealth>();
  readonly #failures = new SharedFailures();
  /** Models that failed since the last success of any model. */
  readonly #failedModels = new Set<string>();
  readonly #whole = new Breaker(
    () => this.#failedModels.size >= MODELS_TO_OPEN && this.#failures.areMany,
    () => this.#report(true),
  );
  #isReportedUnhealthy = false;

  /** `onChange` receives true once any breaker opens, and false at the next success of any call. */
  constructor(private readonly onChange: (isUnhealthy: boolean) => void) {}

  /** True while no account may call, or none may call a model and no call has succeeded since. */
  get isBroken(): boolean {
    return this.#whole.isOpen || (this.#isReportedUnhealthy && this.brokenModels.length > 0);
  }

  /** Models that no account may call, with the milliseconds until they may be. */
  get brokenModels(): readonly (readonly [model: string, remainingMs: number])[] {
    return [...this.#models]
      .map(([model, health]) => [model, health.sharedRemainingMs] as const)
      .filter(([, remainingMs]) => remainingMs > 0);
  }

  /** Accounts whose own breaker of a model rejects their calls. */
  get brokenAccounts(): number {
    return new Set([...this.#models.values()].flatMap((health) => health.brokenAccounts)).size;
  }

  isBrokenFor({ accountId, model }: ChannelUse): boolean {
    return this.#whole.isOpen || this.#models.get(model)?.isBrokenFor(accountId) === true;
  }

  /** Milliseconds until the breakers admit a call; 0 if they do now. */
  remainingMs({ accountId, model }: ChannelUse): number {
    return Math.max(this.#whole.remainingMs, this.#models.get(model)?.remainingMs(accountId) ?? 0);
  }

  /** Runs one attempt. Undefined: a breaker rejected it. */
  async attempt<Result>(use: ChannelUse, run: () => Promise<Result>): Promise<Result | undefined> {
    // Check all breakers first: a trial of the channel's would record the model's rejection as a success.
    if (this.isBrokenFor(use)) return undefined;
    const model = this.#healthOf(use.model);
    return this.#whole.execute(() => model.attempt(use.accountId, () => this.#recorded(use, run)));
  }

  async #recorded<Result>({ accountId, model }: ChannelUse, run: () => Promise<Result>): Promise<Result> {
    try {
      const result = await run();
      this.#failures.onSuccess();
      if (this.#failedModels.size > 0) this.#failedModels.clear();
      this.#report(false);
      return result;
    } catch (error) {
      if (error instanceof ChannelUnhealthy) {
        this.#failures.add(accountId);
        this.#failedModels.add(model);
      }
      throw error;
    }
  }

  #healthOf(model: string): ModelHealth {
    let health = this.#models.get(model);
    if (health === undefined) {
      health = new ModelHealth(() => this.#report(true));
      this.#models.set(model, health);
    }
    return health;
  }

  #report(isUnhealthy: boolean): void {
    if (isUnhealthy === this.#isReportedUnhealthy) return;
    this.#isReportedUnhealthy = isUnhealthy;
    this.onChange(isUnhealthy);
  }
}
