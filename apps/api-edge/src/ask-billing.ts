import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '@gateway/contracts';
import { type HttpPools, isHttpFailure, type JsonAnswer, jsonRequest } from '@gateway/http';
import type { Logger } from '@gateway/observability';
import type { BillingClient } from './billing-client.js';

export interface Billing {
  readonly url: string;
  readonly token: string;
}

/** For all tries together. */
const TIMEOUT_MS = 5_000;
/** Short, because one account's requests wait for each other here: a billing that is gone must not hold up the last of them. */
const PAUSES_MS: readonly number[] = [100, 300];
const LIMIT_BYTES = 64 * 1024;
/** What stands before billing says this while one copy goes and the next comes; billing itself while it drains. */
const IN_PASSING: readonly number[] = [502, 503, 504];

/**
 * Asks again while a copy of billing comes or goes: whatever is asked may be asked twice (a second block of a balance is
 * still that customer's). Throws `service_unavailable` if it stays away; what was wrong is in the log.
 */
export function askBilling(pools: HttpPools, billing: Billing, logger: Logger, timeoutMs = TIMEOUT_MS): BillingClient {
  return {
    async post(path, body) {
      const signal = AbortSignal.timeout(timeoutMs);
      const ask = () => once(pools, billing, { path, body, signal });
      let result = await ask();
      for (const pauseMs of PAUSES_MS) {
        if (signal.aborted || !isInPassing(result)) break;
        await sleep(pauseMs);
        result = await ask();
      }
      if (!(result instanceof Error) && result.status === 200) return result.body;
      logger.warn(result instanceof Error ? { err: result, path } : { status: result.status, path }, 'asking billing');
      throw new GatewayError('service_unavailable', 'Billing is not available, try again shortly.', {
        retryAfterMs: 1_000,
      });
    },
  };
}

interface Question {
  readonly path: string;
  readonly body: object;
  readonly signal: AbortSignal;
}

/** The answer, or what kept it from coming. */
function once(pools: HttpPools, { url, token }: Billing, question: Question): Promise<JsonAnswer | Error> {
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

const isInPassing = (result: JsonAnswer | Error): boolean =>
  result instanceof Error ? isHttpFailure(result) && result.kind !== 'too_large' : IN_PASSING.includes(result.status);
