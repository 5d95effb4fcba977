import { GatewayError, type UpstreamAttempt } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { type AttemptUnderWay, CallUpstream } from './call-upstream/call-upstream.service.js';
import { judgeFailure, type Verdict } from './call-upstream/judge-failure.js';
import { type Channel, ChannelIll } from './choose-channel/channel.js';
import { type ChannelPool, ChooseChannel } from './choose-channel/choose-channel.service.js';
import { RetryBudget } from './choose-channel/retry-budget.js';
import type { Lane } from './lane.js';
import { LOGGER } from './observability-door.js';
import type { OpenedAnswer } from './opened-answer.js';
import { sleep } from './sleep.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

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

/** One call as the spine follows it. */
export interface UpstreamCall {
  readonly lane: Lane;
  /** Only what answers test keys may be asked. */
  readonly isTest: boolean;
  readonly signal: AbortSignal;
  readonly attempts: UpstreamAttempt[];
  /** The reader of the attempt under way: what it has metered if the call is cut off. */
  onReader(reader: StreamReader | undefined): void;
}

/**
 * Opens the upstream's answer: chooses a channel, calls, and tries again elsewhere where that is safe. Safe means that
 * nothing has gone to the client and that the failed try was certainly not paid for: refused by an answer, or never sent.
 */
@Injectable()
export class OpenUpstream {
  readonly #budgets = new Map<ChannelPool, RetryBudget>();

  constructor(
    private readonly channels: ChooseChannel,
    private readonly upstream: CallUpstream,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws a GatewayError with what the client is to hear, or the abort's reason. */
  async open(call: UpstreamCall): Promise<OpenedAnswer> {
    this.#refuseUnservedTest(call);
    const budget = this.#budgetOf(poolOf(call));
    budget.onRequest();
    const tried = new Set<Channel>();
    let last: GatewayError | undefined;
    for (let tries = 0; tries < TRIES_AT_MOST; tries += 1) {
      if (tries > 0 && !budget.spend()) break;
      const channel = this.#choose(call, tried) ?? (await this.#waitForChannel(call, last));
      if (channel === undefined) break;
      tried.add(channel);
      const result = await this.#attempt(call, channel);
      if (result === undefined) continue;
      if (!('error' in result)) return result;
      last = result.error;
      if (!result.mayRetry) break;
    }
    throw this.#withTrueWait(call, last ?? UNAVAILABLE);
  }

  /** A client that is told to come back is told when: not before a credential that rests may be asked again. */
  #withTrueWait(call: UpstreamCall, error: GatewayError): GatewayError {
    if (error.code !== 'upstream_unavailable') return error;
    const restMs = this.channels.waitMs(poolOf(call), call.lane.publicModel, call.lane.wanted?.channelId);
    const retryAfterMs = Math.max(error.details.retryAfterMs ?? SHORTEST_WAIT_MS, restMs);
    return new GatewayError(error.code, error.message, { ...error.details, retryAfterMs });
  }

  #refuseUnservedTest(call: UpstreamCall): void {
    if (!call.isTest || this.channels.serves(poolOf(call))) return;
    throw new GatewayError(
      'service_unavailable',
      'Test keys cannot be used here now: this gateway has no simulator that answers them. Use another key.',
    );
  }

  /** Throws what the lane says if it must go to a channel that this worker has no more. */
  #choose(call: UpstreamCall, tried: ReadonlySet<Channel>): Channel | undefined {
    const pool = poolOf(call);
    const { wanted } = call.lane;
    if (wanted !== undefined && !this.channels.has(pool, wanted.channelId)) throw wanted.whenGone();
    return this.channels.choose(pool, call.lane.publicModel, tried, wanted?.channelId);
  }

  /** Every channel was tried or rests: one that is free again shortly is worth waiting for. */
  async #waitForChannel(call: UpstreamCall, last: GatewayError | undefined): Promise<Channel | undefined> {
    const again = this.#choose(call, new Set());
    if (again !== undefined) {
      // The same channel once more: not at once, and not all of its callers together.
      if (last !== undefined) await sleep(SAME_CHANNEL_PAUSE_MS * (0.5 + Math.random()), call.signal);
      return again;
    }
    const restMs = this.channels.shortestRestMs(poolOf(call), call.lane.publicModel);
    if (restMs === undefined || restMs > WAIT_AT_MOST_MS) return undefined;
    await sleep(restMs + TIMER_SLACK_MS, call.signal);
    return this.#choose(call, new Set());
  }

  /** Undefined: the channel's breaker let nothing through. */
  async #attempt(call: UpstreamCall, channel: Channel): Promise<OpenedAnswer | Verdict | undefined> {
    const record: AttemptUnderWay = { channel: channel.id, startedAtMs: Date.now(), endedAtMs: 0 };
    const release = channel.occupy();
    let result: OpenedAnswer | Verdict | undefined;
    try {
      await channel.attempt(async () => {
        result = await this.#callOrJudge(call, channel, record, release);
        // Said to the breaker alone: the verdict is what counts here.
        if ('error' in result && result.isChannelIll) throw new ChannelIll(result.error.message);
      });
    } catch (error) {
      if (!(error instanceof ChannelIll)) throw error;
    } finally {
      if (result === undefined || 'error' in result || result.kind === 'whole') release();
      record.endedAtMs = Date.now();
      if (record.status !== undefined || record.error !== undefined) this.#note(call, record);
    }
    return result;
  }

  #note({ attempts }: UpstreamCall, record: AttemptUnderWay): void {
    const { channel, error, startedAtMs, endedAtMs } = record;
    attempts.push(record);
    this.metrics.upstreamSeconds.observe({ channel, outcome: error ?? 'answered' }, (endedAtMs - startedAtMs) / 1_000);
  }

  async #callOrJudge(
    { lane, signal, onReader }: UpstreamCall,
    channel: Channel,
    record: AttemptUnderWay,
    release: () => void,
  ): Promise<OpenedAnswer | Verdict> {
    try {
      return await this.upstream.call({ lane, channel: channel.settings, signal, record, release, onReader });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const verdict = judgeFailure(error);
      if (verdict === undefined) throw error;
      record.error = verdict.error.code;
      if (verdict.isCredentialRefused) this.#tellOperator(channel, lane, record.status, verdict);
      if (verdict.channelRestMs > 0) channel.rest(verdict.channelRestMs, Date.now());
      if (verdict.modelRestMs > 0) channel.restForModel(lane.publicModel, verdict.modelRestMs, Date.now());
      return verdict;
    }
  }

  /** Once for each rest, however many calls were under way with that credential. */
  #tellOperator(channel: Channel, lane: Lane, status: number | undefined, verdict: Verdict): void {
    if (channel.restMs(Date.now(), lane.publicModel) > 0) return;
    this.metrics.credentialsRefused.inc({ channel: channel.id });
    const { channelRestMs, modelRestMs } = verdict;
    // Of a refusal for one model the others know nothing.
    const model = modelRestMs > 0 ? lane.publicModel : undefined;
    const restMs = Math.max(channelRestMs, modelRestMs);
    this.logger.error(
      { channel: channel.id, vendor: lane.vendor, model, status, restMs },
      'a vendor refuses a credential: its channel rests',
    );
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

const poolOf = ({ lane, isTest }: UpstreamCall): ChannelPool => (isTest ? `${lane.vendor}.test` : lane.vendor);
