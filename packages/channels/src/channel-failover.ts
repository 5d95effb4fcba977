import { GatewayError, type UpstreamAttempt, type Vendor } from '@gateway/contracts';
import { ChannelIll } from './breaker.js';
import type { Channel, ChannelSettings } from './channel.js';
import type { ChannelPool, ChannelSelector } from './channel-selector.js';
import type { FailureVerdict } from './classify-upstream-failure.js';
import { RetryBudget } from './retry-budget.js';
import { sleep } from './sleep.js';

const TRIES_AT_MOST = 3;
const SAME_CHANNEL_PAUSE_MS = 100;
/** A throttled vendor is waited for only this long: a client that waits longer is better told. */
const WAIT_AT_MOST_MS = 2_000;
/** A timer may ring a moment early: the credential would still be resting. */
const TIMER_SLACK_MS = 5;
const SHORTEST_WAIT_MS = 1_000;

const UNAVAILABLE = new GatewayError(
  'upstream_unavailable',
  'The model is temporarily unavailable, try again shortly.',
);

/** A record that is filled in while the call runs. */
export type AttemptRecord = { -readonly [Field in keyof UpstreamAttempt]: UpstreamAttempt[Field] };

/** One call that any channel of its vendor may answer. */
export interface FailoverCall<Result, Judged extends FailureVerdict = FailureVerdict> {
  readonly vendor: Vendor;
  readonly publicModel: string;
  /** Whose it is: what it fails of is not yet everybody's. */
  readonly accountId: string;
  /** Only what answers test keys may be asked. */
  readonly isTest: boolean;
  /** The one channel that can answer, and what the client hears if this process has it no more. */
  readonly requiredChannel?: { readonly channelId: string; readonly whenGone: () => GatewayError };
  readonly signal: AbortSignal;
  readonly attempts: UpstreamAttempt[];
  /** One try. `release` says that the channel is less busy: it is called here unless `keepsBusy`. */
  run(channel: ChannelSettings, record: AttemptRecord, release: () => void): Promise<Result>;
  /** True of a result that is still on its way: it calls `release` itself. */
  isStillRunning(result: Result): boolean;
  /** What a failed try means. Undefined: not a failure of the call but a fault of ours. */
  classifyFailure(thrown: unknown, record: AttemptRecord): Judged | undefined;
}

/** A result, or what the last try failed of (undefined: none could be made) and what the client is to hear. */
export type FailoverResult<Result, Judged extends FailureVerdict = FailureVerdict> =
  | { readonly result: Result }
  | { readonly error: GatewayError; readonly verdict: Judged | undefined };

/** For an operator: a vendor does not take a credential, or not for this model. */
export interface RejectedCredential {
  readonly channel: string;
  readonly vendor: Vendor;
  /** Of a refusal for one model the others know nothing. */
  readonly model: string | undefined;
  readonly status: number | undefined;
  readonly cooldownMs: number;
}

const poolOf = ({ vendor, isTest }: { vendor: Vendor; isTest: boolean }): ChannelPool =>
  isTest ? `${vendor}.test` : vendor;

/**
 * Chooses a channel, has it called, and tries again elsewhere where that is safe: the failed try was certainly not paid
 * for (refused by an answer, or never sent), and there is budget for a retry.
 */
export class ChannelFailover {
  readonly #budgets = new Map<ChannelPool, RetryBudget>();

  constructor(
    private readonly channels: ChannelSelector,
    private readonly onRefusedCredential: (refused: RejectedCredential) => void,
  ) {}

  /** Throws the abort's reason, or a fault of ours. */
  async run<Result, Judged extends FailureVerdict>(
    call: FailoverCall<Result, Judged>,
  ): Promise<FailoverResult<Result, Judged>> {
    if (call.isTest && !this.channels.hasPool(poolOf(call))) return { error: unservedTest(), verdict: undefined };
    const tried = await this.#tryAll(call);
    if (tried !== undefined && 'result' in tried) return tried;
    return { error: this.#withTrueWait(call, tried?.error ?? UNAVAILABLE), verdict: tried };
  }

  /** A result, or what the last try failed of; undefined if none could be made. */
  async #tryAll<Result, Judged extends FailureVerdict>(
    call: FailoverCall<Result, Judged>,
  ): Promise<{ readonly result: Result } | Judged | undefined> {
    const budget = this.#budgetOf(poolOf(call));
    budget.onRequest();
    const tried = new Set<Channel>();
    let last: Judged | undefined;
    for (let tries = 0; tries < TRIES_AT_MOST; tries += 1) {
      if (tries > 0 && !budget.spend()) break;
      const channel = this.#choose(call, tried) ?? (await this.#waitForChannel(call, last));
      if (channel === undefined) break;
      tried.add(channel);
      const outcome = await this.#attempt(call, channel);
      if (outcome === undefined) continue;
      if ('result' in outcome) return outcome;
      last = outcome;
      if (!outcome.mayRetry) break;
    }
    return last;
  }

  /** A client that is told to come back is told when: not before a credential that rests may be asked again. */
  #withTrueWait(call: FailoverCall<unknown>, error: GatewayError): GatewayError {
    if (error.code !== 'upstream_unavailable') return error;
    const restMs = this.channels.cooldownMs(poolOf(call), call.publicModel, call.requiredChannel?.channelId);
    const retryAfterMs = Math.max(error.details.retryAfterMs ?? SHORTEST_WAIT_MS, restMs);
    return new GatewayError(error.code, error.message, { ...error.details, retryAfterMs });
  }

  /** Throws what the call says if it must go to a channel that this process has no more. */
  #choose(call: FailoverCall<unknown>, tried: ReadonlySet<Channel>): Channel | undefined {
    const pool = poolOf(call);
    const { requiredChannel: wanted, accountId, publicModel: model } = call;
    if (wanted !== undefined && !this.channels.has(pool, wanted.channelId)) throw wanted.whenGone();
    return this.channels.choose(pool, { accountId, model, wantedId: wanted?.channelId }, tried);
  }

  /** Every channel was tried or rests: one that is free again shortly is worth waiting for. */
  async #waitForChannel(call: FailoverCall<unknown>, last: FailureVerdict | undefined): Promise<Channel | undefined> {
    const again = this.#choose(call, new Set());
    if (again !== undefined) {
      // The same channel once more: not at once, and not all of its callers together.
      if (last !== undefined) await sleep(SAME_CHANNEL_PAUSE_MS * (0.5 + Math.random()), call.signal);
      return again;
    }
    const restMs = this.channels.shortestCooldownMs(poolOf(call), call.publicModel);
    if (restMs === undefined || restMs > WAIT_AT_MOST_MS) return undefined;
    await sleep(restMs + TIMER_SLACK_MS, call.signal);
    return this.#choose(call, new Set());
  }

  /** Undefined: a breaker of the channel let nothing through. */
  async #attempt<Result, Judged extends FailureVerdict>(
    call: FailoverCall<Result, Judged>,
    channel: Channel,
  ): Promise<{ readonly result: Result } | Judged | undefined> {
    const record: AttemptRecord = { channel: channel.id, startedAtMs: Date.now(), endedAtMs: 0 };
    const release = channel.occupy();
    let outcome: { readonly result: Result } | Judged | undefined;
    try {
      await channel.attempt(call.accountId, async () => {
        outcome = await this.#runOrJudge(call, channel, record, release);
        // Said to the breakers alone: the verdict is what counts here.
        if ('error' in outcome && outcome.isChannelUnhealthy) throw new ChannelIll(outcome.error.message);
      });
    } catch (error) {
      if (!(error instanceof ChannelIll)) throw error;
    } finally {
      if (outcome === undefined || 'error' in outcome || !call.isStillRunning(outcome.result)) release();
      record.endedAtMs = Date.now();
      if (record.status !== undefined || record.error !== undefined) call.attempts.push(record);
    }
    return outcome;
  }

  async #runOrJudge<Result, Judged extends FailureVerdict>(
    call: FailoverCall<Result, Judged>,
    channel: Channel,
    record: AttemptRecord,
    release: () => void,
  ): Promise<{ readonly result: Result } | Judged> {
    try {
      return { result: await call.run(channel.settings, record, release) };
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      const verdict = call.classifyFailure(error, record);
      if (verdict === undefined) throw error;
      record.error = verdict.error.code;
      if (verdict.isCredentialRejected) this.#tellOperator(call, channel, record.status, verdict);
      if (verdict.channelCooldownMs > 0) channel.rest(verdict.channelCooldownMs, Date.now());
      if (verdict.modelCooldownMs > 0) channel.restForModel(call.publicModel, verdict.modelCooldownMs, Date.now());
      return verdict;
    }
  }

  /** Once for each rest, however many calls were under way with that credential. */
  #tellOperator(
    { vendor, publicModel }: FailoverCall<unknown>,
    channel: Channel,
    status: number | undefined,
    { channelCooldownMs: channelRestMs, modelCooldownMs: modelRestMs }: FailureVerdict,
  ): void {
    if (channel.restMs(Date.now(), publicModel) > 0) return;
    const model = modelRestMs > 0 ? publicModel : undefined;
    const restMs = Math.max(channelRestMs, modelRestMs);
    this.onRefusedCredential({ channel: channel.id, vendor, model, status, cooldownMs: restMs });
  }

  #budgetOf(pool: ChannelPool): RetryBudget {
    let budget = this.#budgets.get(pool);
    if (budget === undefined) {
      budget = new RetryBudget();
      this.#budgets.set(pool, budget);
    }
    return budget;
  }
}

const unservedTest = (): GatewayError =>
  new GatewayError(
    'service_unavailable',
    'Test keys cannot be used here now: this gateway has no simulator that answers them. Use another key.',
  );
