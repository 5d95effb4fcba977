import { GatewayError, isGatewayError, type UpstreamAttempt, type Vendor } from '@gateway/contracts';
import { type HttpAnswer, HttpFailure, type HttpPools } from '@gateway/http';
import type { ReadFailure, StreamReader } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { type Channel, ChannelIll } from '../choose-channel/channel.js';
import { ChooseChannel } from '../choose-channel/choose-channel.service.js';
import { RetryBudget } from '../choose-channel/retry-budget.js';
import { HTTP_POOLS } from '../http-door.js';
import type { Lane } from '../lanes/lane.js';
import { WORKER_CONFIG, type WorkerConfig } from '../worker-config.js';
import { openAnswer } from './open-answer.js';
import type { OpenedAnswer } from './opened-answer.js';

const TRIES_AT_MOST = 3;
const SAME_CHANNEL_PAUSE_MS = 100;
const FAILURE_BODY_LIMIT_BYTES = 1024 * 1024;
const CREDENTIAL_REST_MS = 60_000;
const THROTTLE_REST_MS = 1_000;
/** A throttled vendor is waited for only this long: a client that waits longer is better told. */
const WAIT_AT_MOST_MS = 2_000;
/** A timer may ring a moment early: the credential would still be resting. */
const TIMER_SLACK_MS = 5;

/** One call as the spine follows it. */
export interface UpstreamCall {
  readonly lane: Lane;
  readonly signal: AbortSignal;
  readonly attempts: UpstreamAttempt[];
  /** The reader of the attempt under way: what it has metered if the call is cut off. */
  onReader(reader: StreamReader | undefined): void;
}

type Verdict = { readonly error: GatewayError; readonly mayRetry: boolean };

/**
 * Opens the upstream's answer: chooses a channel, calls, and tries again elsewhere where that is safe. Safe means that
 * nothing has gone to the client and that the failed try was certainly not paid for: refused by an answer, or never sent.
 */
@Injectable()
export class CallUpstream {
  readonly #budgets = new Map<Vendor, RetryBudget>();

  constructor(
    private readonly channels: ChooseChannel,
    @Inject(HTTP_POOLS) private readonly http: HttpPools,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** Throws a GatewayError with what the client is to hear, or the abort's reason. */
  async open(call: UpstreamCall): Promise<OpenedAnswer> {
    const budget = this.#budgetOf(call.lane.vendor);
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
    throw (
      last ??
      new GatewayError('upstream_unavailable', 'The model is temporarily unavailable, try again shortly.', {
        retryAfterMs: 1_000,
      })
    );
  }

  /** Throws what the lane says if it must go to a channel that this worker has no more. */
  #choose({ lane: { vendor, wanted } }: UpstreamCall, tried: ReadonlySet<Channel>): Channel | undefined {
    if (wanted !== undefined && !this.channels.has(vendor, wanted.channelId)) throw wanted.whenGone();
    return this.channels.choose(vendor, tried, wanted?.channelId);
  }

  /** Every channel was tried or rests: one that is free again shortly is worth waiting for. */
  async #waitForChannel(call: UpstreamCall, last: GatewayError | undefined): Promise<Channel | undefined> {
    const again = this.#choose(call, new Set());
    if (again !== undefined) {
      // The same channel once more: not at once, and not all of its callers together.
      if (last !== undefined) await sleep(SAME_CHANNEL_PAUSE_MS * (0.5 + Math.random()), call.signal);
      return again;
    }
    const restMs = this.channels.shortestRestMs(call.lane.vendor);
    if (last?.code !== 'rate_limit_exceeded' || restMs > WAIT_AT_MOST_MS) return undefined;
    await sleep(restMs + TIMER_SLACK_MS, call.signal);
    return this.#choose(call, new Set());
  }

  async #attempt(call: UpstreamCall, channel: Channel): Promise<OpenedAnswer | Verdict | undefined> {
    const record: Mutable<UpstreamAttempt> = { channel: channel.id, startedAtMs: Date.now(), endedAtMs: 0 };
    const release = channel.occupy();
    let verdict: Verdict | undefined;
    let isStreaming = false;
    try {
      return await channel.attempt(async () => {
        try {
          const opened = await this.#send(call, channel, record, release);
          isStreaming = opened.kind === 'stream';
          return opened;
        } catch (error) {
          if (call.signal.aborted) throw call.signal.reason;
          const judged = this.#judge(error, channel);
          verdict = judged;
          record.error = judged.error.code;
          if (judged.isChannelIll) throw new ChannelIll(judged.error.message);
          return judged;
        }
      });
    } catch (error) {
      if (error instanceof ChannelIll && verdict !== undefined) return verdict;
      throw error;
    } finally {
      if (!isStreaming) release();
      record.endedAtMs = Date.now();
      if (record.status !== undefined || record.error !== undefined) call.attempts.push(record);
    }
  }

  async #send(
    call: UpstreamCall,
    channel: Channel,
    record: Mutable<UpstreamAttempt>,
    release: () => void,
  ): Promise<OpenedAnswer> {
    const { lane } = call;
    const { baseUrl, credential } = channel.settings;
    const upstreamModel = this.config.upstreamModelOverrides[lane.publicModel] ?? lane.upstreamModel;
    const answer = await this.http.send(lane.buildRequest({ baseUrl, credential, upstreamModel }), {
      signal: call.signal,
      headersTimeoutMs: this.config.upstreamHeadersTimeoutMs,
      bodyTimeoutMs: this.config.streamIdleTimeoutMs,
    });
    record.status = answer.status;
    if (answer.status < 200 || answer.status > 299) throw new UpstreamRefused(await readRefusal(answer, lane));
    call.onReader(undefined);
    const opened = await openAnswer(answer, lane, release, call.onReader);
    const upstreamId = opened.kind === 'whole' ? opened.upstreamId : opened.reader.upstreamId;
    if (upstreamId !== undefined) record.upstreamId = upstreamId;
    if (opened.kind === 'stream' || lane.fromChannel === undefined) return opened;
    return { ...opened, ...lane.fromChannel(opened, channel.id) };
  }

  #judge(error: unknown, channel: Channel): Verdict & { readonly isChannelIll: boolean } {
    if (error instanceof UpstreamRefused) return this.#judgeRefusal(error.failure, channel);
    if (error instanceof HttpFailure) return judgeTransport(error);
    // Not this protocol's answer, or an error inside its stream: paid for or not, nobody knows.
    if (isGatewayError(error))
      return { error, mayRetry: false, isChannelIll: error.code !== 'invalid_request' && error.row.status >= 500 };
    throw error;
  }

  #judgeRefusal(failure: ReadFailure, channel: Channel): Verdict & { readonly isChannelIll: boolean } {
    const { kind, error, retryAfterMs } = failure;
    if (kind === 'throttled') channel.rest(retryAfterMs ?? THROTTLE_REST_MS, Date.now());
    if (kind === 'credential') channel.rest(CREDENTIAL_REST_MS, Date.now());
    return { error, mayRetry: kind !== 'request', isChannelIll: kind === 'server' };
  }

  #budgetOf(vendor: Vendor): RetryBudget {
    let budget = this.#budgets.get(vendor);
    if (budget === undefined) {
      budget = new RetryBudget();
      this.#budgets.set(vendor, budget);
    }
    return budget;
  }
}

type Mutable<Record> = { -readonly [Field in keyof Record]: Record[Field] };

class UpstreamRefused extends Error {
  constructor(readonly failure: ReadFailure) {
    super('the upstream refused');
  }
}

async function readRefusal(answer: HttpAnswer, lane: Lane): Promise<ReadFailure> {
  const body = await answer.bytes(FAILURE_BODY_LIMIT_BYTES);
  return lane.readFailure({ status: answer.status, headers: answer.headers, body });
}

function judgeTransport(failure: HttpFailure): Verdict & { readonly isChannelIll: boolean } {
  const error =
    failure.isTimeout && failure.kind === 'ambiguous'
      ? new GatewayError('upstream_timeout', 'The model did not answer in time.')
      : new GatewayError('upstream_error', 'The connection to the model broke off.');
  return { error, mayRetry: failure.kind === 'connect', isChannelIll: true };
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', onAbort);
    resolve();
  }, milliseconds);
  signal.addEventListener('abort', onAbort, { once: true });
  return promise;
}
