import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '@gateway/contracts';
import { type HttpPools, isHttpFailure, type JsonResponse, jsonRequest } from '@gateway/http';
import type { Logger } from '@gateway/observability';
import type { BillingClient } from './billing-client.js';

export interface Billing {
  readonly url: string;
  readonly token: string;
}

export interface Patience {
  /** For one try: a copy that keeps silent is left then, and its connection with it. The next try may reach another one. */
  readonly tryMs: number;
  /** For how long billing may be away before nobody waits for it: as long as a ticket waits for a worker. */
  readonly awayMs: number;
}

const PATIENCE: Patience = { tryMs: 3_000, awayMs: 10_000 };
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 800;
const LIMIT_BYTES = 64 * 1024;
/** What stands before billing says this while one copy goes and the next comes; billing itself while it drains. */
const IN_PASSING: readonly number[] = [502, 503, 504];

/**
 * Asks again while a copy of billing comes or goes: whatever is asked may be asked twice (a second block of a balance is
 * still that customer's). Throws `service_unavailable` if it stays away; what was wrong is in the log.
 */
export function askBilling(
  pools: HttpPools,
  billing: Billing,
  logger: Logger,
  { tryMs, awayMs }: Patience = PATIENCE,
): BillingClient {
  const absence = new Absence(awayMs);
  return {
    async post(path, body) {
      const startedMs = performance.now();
      const ask = () => once(pools, billing, { path, body, signal: AbortSignal.timeout(tryMs) });
      let result = await ask();
      for (
        let pauseMs = FIRST_PAUSE_MS;
        isInPassing(result) && absence.isShort(startedMs);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      ) {
        await sleep(pauseMs);
        result = await ask();
      }
      if (!isInPassing(result)) absence.end();
      if (!(result instanceof Error) && result.status === 200) return result.body;
      logger.warn(result instanceof Error ? { err: result, path } : { status: result.status, path }, 'asking billing');
      throw new GatewayError('service_unavailable', 'Billing is not available, try again shortly.', {
        retryAfterMs: 1_000,
      });
    },
  };
}

/**
 * Since when billing has answered no question of this process. All questions have one patience together: an account's
 * requests wait for each other here, and a billing that is gone holds up the first of them, not each anew.
 */
class Absence {
  #sinceMs = 0;
  #noticedMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly longestMs: number) {}

  /** A question that was first asked then has not been answered. Whether it is worth while to ask it again. */
  isShort(startedMs: number): boolean {
    const isNew = startedMs - this.#noticedMs > this.longestMs;
    if (isNew) this.#sinceMs = startedMs;
    this.#noticedMs = performance.now();
    return this.#noticedMs - Math.min(this.#sinceMs, startedMs) < this.longestMs;
  }

  end(): void {
    this.#noticedMs = Number.NEGATIVE_INFINITY;
  }
}

interface Question {
  readonly path: string;
  readonly body: object;
  readonly signal: AbortSignal;
}

/** The answer, or what kept it from coming. */
function once(pools: HttpPools, { url, token }: Billing, question: Question): Promise<JsonResponse | Error> {
  const { path, body, signal } = question;
  return jsonRequest(pools, {
    method: 'POST',
    url: `${url}${path}`,
    headers: { authorization: `Bearer ${token}` },
    body,
    signal,
    limitBytes: LIMIT_BYTES,
  }).catch((error: unknown) => {
    if (isHttpFailure(error)) return error;
    throw error;
  });
}

const isInPassing = (result: JsonResponse | Error): boolean =>
  result instanceof Error ? isHttpFailure(result) && result.kind !== 'too_large' : IN_PASSING.includes(result.status);
