import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '@gateway/contracts';
import { type HttpPools, isHttpFailure, type JsonResponse, jsonRequest } from '@gateway/http';
import type { Logger } from '@gateway/observability';

/** JSON in, JSON out. Throws `service_unavailable` if billing does not respond with 200. */
export interface BillingClient {
  post(path: string, body: object): Promise<unknown>;
}

export interface BillingTarget {
  readonly url: string;
  readonly token: string;
}

export interface RetryLimits {
  /** Time-out of one attempt. It ends the connection too, so that the retry may reach another replica. */
  readonly attemptTimeoutMs: number;
  /** In a longer outage, requests fail at once instead of retrying. Equal to `ACCEPT_TIMEOUT_MS`. */
  readonly maxOutageMs: number;
  /** In such an outage, requests fail without an attempt for this long after a failure. */
  readonly cooldownMs: number;
}

const RETRY_LIMITS: RetryLimits = { attemptTimeoutMs: 3_000, maxOutageMs: 10_000, cooldownMs: 1_000 };
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 800;
const RESPONSE_LIMIT_BYTES = 64 * 1024;
/** The proxy's statuses during a roll-out, and billing's own while it drains. */
const TRANSIENT_STATUSES: readonly number[] = [502, 503, 504];

/**
 * Retries while a replica of billing is replaced. A request may reach billing twice, so every path must tolerate that.
 * A second block of a balance, for example, still belongs to the same customer.
 *
 * The retry is written by hand: all requests share one outage, which a policy per request cannot express.
 */
export function createBillingClient(
  pools: HttpPools,
  billing: BillingTarget,
  logger: Logger,
  { attemptTimeoutMs, maxOutageMs, cooldownMs }: RetryLimits = RETRY_LIMITS,
): BillingClient {
  const outage = new Outage(maxOutageMs, cooldownMs);
  return {
    async post(path, body) {
      if (outage.isCoolingDown) throw unavailable();
      const startedMs = performance.now();
      const attempt = () => send(pools, billing, { path, body, signal: AbortSignal.timeout(attemptTimeoutMs) });
      let result = await attempt();
      let backoffMs = FIRST_BACKOFF_MS;
      while (isTransient(result) && outage.allowsRetry(startedMs)) {
        await sleep(backoffMs);
        backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
        result = await attempt();
      }
      if (!isTransient(result)) outage.end();
      if (!(result instanceof Error) && result.status === 200) return result.body;
      const reason = result instanceof Error ? { err: result } : { status: result.status };
      logger.warn({ ...reason, path }, 'request to billing failed');
      throw unavailable();
    },
  };
}

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'Billing is not available, try again shortly.', { retryAfterMs: 1_000 });

/** One outage for all requests of this process: once it is too long, later requests do not wait at all. */
class Outage {
  #startedMs = 0;
  #lastFailureMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly maxMs: number,
    private readonly cooldownMs: number,
  ) {}

  /** The requests of an account wait for each other. Without a cooldown each one would wait for a silent billing in turn. */
  get isCoolingDown(): boolean {
    const isLong = this.#lastFailureMs - this.#startedMs >= this.maxMs;
    return isLong && performance.now() - this.#lastFailureMs < this.cooldownMs;
  }

  /** Records the failure of a request that started at `startedMs`. True if the outage is still short enough to retry. */
  allowsRetry(startedMs: number): boolean {
    const isNew = startedMs - this.#lastFailureMs > this.maxMs;
    if (isNew) this.#startedMs = startedMs;
    this.#lastFailureMs = performance.now();
    return this.#lastFailureMs - Math.min(this.#startedMs, startedMs) < this.maxMs;
  }

  end(): void {
    this.#lastFailureMs = Number.NEGATIVE_INFINITY;
  }
}

interface BillingRequest {
  readonly path: string;
  readonly body: object;
  readonly signal: AbortSignal;
}

/** Resolves to the response, or to the HTTP failure that prevented it. */
function send(pools: HttpPools, { url, token }: BillingTarget, request: BillingRequest): Promise<JsonResponse | Error> {
  const { path, body, signal } = request;
  return jsonRequest(pools, {
    method: 'POST',
    url: `${url}${path}`,
    headers: { authorization: `Bearer ${token}` },
    body,
    signal,
    limitBytes: RESPONSE_LIMIT_BYTES,
  }).catch((error: unknown) => {
    if (isHttpFailure(error)) return error;
    throw error;
  });
}

const isTransient = (result: JsonResponse | Error): boolean =>
  result instanceof Error
    ? isHttpFailure(result) && result.kind !== 'too_large'
    : TRANSIENT_STATUSES.includes(result.status);
