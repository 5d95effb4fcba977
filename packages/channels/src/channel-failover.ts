import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelControl, type ChannelReport, GatewayError, type Vendor } from '@gateway/contracts';
import { ChannelUnhealthy } from './breaker.js';
import type { Channel } from './channel.js';
import type { ChannelCloser } from './channel-closer.js';
import type { ChannelPool, ChannelQuery, ChannelSelector } from './channel-selector.js';
import type { FailureVerdict } from './classify-upstream-failure.js';
import type { AttemptRecord, FailoverCall, FailoverResult } from './failover-call.js';
import { RetryBudget } from './retry-budget.js';

const MAX_ATTEMPTS = 3;
const SAME_CHANNEL_DELAY_MS = 100;
/** Longer cooldowns are not waited for: the client gets `retry-after` instead. */
const MAX_COOLDOWN_WAIT_MS = 2_000;
/** A timer may fire a moment early, before the cooldown is over. */
const TIMER_SLACK_MS = 5;
const MIN_RETRY_AFTER_MS = 1_000;

const UNAVAILABLE = new GatewayError(
  'upstream_unavailable',
  'The model is temporarily unavailable, try again shortly.',
);

const queryOf = ({ accountId, publicModel, requiredChannel }: FailoverCall<unknown>): ChannelQuery => ({
  accountId,
  model: publicModel,
  requiredId: requiredChannel?.channelId,
});

const poolOf = ({ vendor, isTest }: { vendor: Vendor; isTest: boolean }): ChannelPool =>
  isTest ? `${vendor}.test` : vendor;

/**
 * Calls one channel, and another one if that is safe: the failed attempt was certainly not billed
 * (rejected with a status, or never sent), and the retry budget allows it. At most three attempts.
 */
export class ChannelFailover {
  readonly #budgets = new Map<ChannelPool, RetryBudget>();

  constructor(
    private readonly channels: ChannelSelector,
    private readonly closer: ChannelCloser,
  ) {}

  /** Throws the reason of the signal's abort, the error of `whenGone`, or a bug of the gateway. */
  async run<Result, Verdict extends FailureVerdict>(
    call: FailoverCall<Result, Verdict>,
  ): Promise<FailoverResult<Result, Verdict>> {
    if (call.isTest && !this.channels.hasPool(poolOf(call))) return { error: noTestChannel(), verdict: undefined };
    const outcome = await this.#attemptAll(call);
    if (outcome !== undefined && 'result' in outcome) return outcome;
    return { error: this.#withRetryAfter(call, outcome?.error ?? UNAVAILABLE), verdict: outcome };
  }

  /** The channels of this process, for operators. */
  report(nowMs: number): readonly ChannelReport[] {
    return [...this.channels.all()].map(([pool, channel]) => ({
      ...channel.report(nowMs),
      isTest: pool.endsWith('.test'),
      retryTokens: this.#budgetOf(pool).tokens,
    }));
  }

  /** Applies what administrators have set. A channel without a control is as configured. */
  control(controls: readonly ChannelControl[]): void {
    const byId = new Map(controls.map((control) => [control.channelId, control]));
    for (const [, channel] of this.channels.all()) channel.control(byId.get(channel.id));
  }

  /** The result, or the verdict on the last attempt. Undefined: no attempt was made. */
  async #attemptAll<Result, Verdict extends FailureVerdict>(
    call: FailoverCall<Result, Verdict>,
  ): Promise<{ readonly result: Result } | Verdict | undefined> {
    const budget = this.#budgetOf(poolOf(call));
    budget.onRequest();
    const tried = new Set<Channel>();
    let last: Verdict | undefined;
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      // Nothing is unhealthy where only the account differs, so the budget for that is not spent.
      if (attempts > 0 && last?.isForeignContent !== true && !budget.spend()) break;
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

  /** `retry-after` must cover the pause: an earlier retry cannot succeed. */
  #withRetryAfter(call: FailoverCall<unknown>, error: GatewayError): GatewayError {
    if (!error.row.canRetry) return error;
    const pauseMs = this.channels.pauseMs(poolOf(call), queryOf(call));
    if (pauseMs === 0 && error.code !== 'upstream_unavailable') return error;
    const retryAfterMs = Math.max(error.details.retryAfterMs ?? MIN_RETRY_AFTER_MS, pauseMs);
    return new GatewayError(error.code, error.message, { ...error.details, retryAfterMs });
  }

  /** Throws the error of `whenGone` if the required channel is no longer configured. */
  #choose(call: FailoverCall<unknown>, tried: ReadonlySet<Channel>): Channel | undefined {
    const pool = poolOf(call);
    const { requiredChannel: required } = call;
    if (required !== undefined && !this.channels.has(pool, required.channelId)) throw required.whenGone();
    return this.channels.choose(pool, queryOf(call), tried);
  }

  /** Called once every channel was tried or cools down: retries one of them, after a delay or a short cooldown. */
  async #waitForChannel(call: FailoverCall<unknown>, last: FailureVerdict | undefined): Promise<Channel | undefined> {
    // The same channel would reject the same request again, at the cost of everybody's retry budget.
    if (last?.needsConfirmation === true || last?.isForeignContent === true) return undefined;
    const again = this.#choose(call, new Set());
    if (again !== undefined) {
      // The same channel again: with a random delay, so that its callers do not retry at the same moment.
      if (last !== undefined) await pause(SAME_CHANNEL_DELAY_MS * (0.5 + Math.random()), call.signal);
      return again;
    }
    const cooldownMs = this.channels.shortestCooldownMs(poolOf(call), queryOf(call));
    if (cooldownMs === undefined || cooldownMs > MAX_COOLDOWN_WAIT_MS) return undefined;
    await pause(cooldownMs + TIMER_SLACK_MS, call.signal);
    return this.#choose(call, new Set());
  }

  /** Undefined: a breaker rejected the attempt. */
  async #attempt<Result, Verdict extends FailureVerdict>(
    call: FailoverCall<Result, Verdict>,
    channel: Channel,
  ): Promise<{ readonly result: Result } | Verdict | undefined> {
    const record: AttemptRecord = { channel: channel.id, startedAtMs: Date.now(), endedAtMs: 0 };
    const release = channel.occupy();
    let outcome: { readonly result: Result } | Verdict | undefined;
    try {
      await channel.attempt(queryOf(call), async () => {
        outcome = await this.#runAndClassify(call, channel, record, release);
        // Only the breakers see this error; the caller gets the verdict.
        if ('error' in outcome && outcome.isChannelUnhealthy) throw new ChannelUnhealthy(outcome.error.message);
      });
    } catch (error) {
      if (!(error instanceof ChannelUnhealthy)) throw error;
    } finally {
      if (outcome === undefined || 'error' in outcome || !call.isStillRunning(outcome.result)) release();
      record.endedAtMs = Date.now();
      if (record.status !== undefined || record.error !== undefined) {
        call.attempts.push(record);
        channel.window.record(record);
      }
    }
    return outcome;
  }

  async #runAndClassify<Result, Verdict extends FailureVerdict>(
    call: FailoverCall<Result, Verdict>,
    channel: Channel,
    record: AttemptRecord,
    release: () => void,
  ): Promise<{ readonly result: Result } | Verdict> {
    try {
      const result = await call.run(channel.settings, record, release);
      channel.suspicions.clear(call.publicModel);
      return { result };
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      const verdict = call.classifyFailure(error, record);
      if (verdict === undefined) throw error;
      record.error = verdict.error.code;
      if (verdict.isCredentialRejected) this.closer.onRejection(call, channel, { status: record.status, verdict });
      else if (verdict.modelCooldownMs > 0)
        channel.coolDownModel(call.publicModel, verdict.modelCooldownMs, performance.now());
      return verdict;
    }
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

/** Rejects with the signal's reason instead of Node's AbortError: callers recognise the reason. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await sleep(durationMs, undefined, { signal }).catch((error) => {
    throw signal.aborted ? signal.reason : error;
  });
}

const noTestChannel = (): GatewayError =>
  new GatewayError(
    'service_unavailable',
    'Test keys cannot be used here now: this gateway has no simulator that serves them. Use another key.',
  );
