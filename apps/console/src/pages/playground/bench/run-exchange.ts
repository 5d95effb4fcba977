import { GatewayError } from '@gateway/client';
import { Unreachable } from '../../../api/failures.js';
import { type ApiRequest, fetchInit } from './api-request.js';
import type { ExchangeState } from './exchange.js';
import { CutStream, failureOf } from './failures.js';
import type { CallApi, Kind } from './kind.js';

export interface RunChange<Output> {
  readonly state?: ExchangeState;
  readonly output?: Output;
  readonly requestId?: string | null;
  readonly firstMs?: number;
  readonly endedMs?: number;
  readonly error?: unknown;
}

export interface Run<Draft, Output> {
  readonly kind: Pick<Kind<Draft, Output>, 'read'>;
  readonly request: ApiRequest;
  /** The gateway's address, without `/v1`. */
  readonly gatewayUrl: string;
  readonly key: string;
  readonly signal: AbortSignal;
  readonly onChange: (change: RunChange<Output>) => void;
}

const unreachable = (error: unknown): never => {
  throw error instanceof TypeError ? new Unreachable('The server cannot be reached.', { cause: error }) : error;
};

/** Each call with the key. Throws a GatewayError for a refusal. */
const apiOf =
  ({ gatewayUrl, key }: Pick<Run<unknown, unknown>, 'gatewayUrl' | 'key'>): CallApi =>
  async (path, init = {}) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${gatewayUrl}${path}`, { ...init, credentials: 'omit', headers }).catch(unreachable);
    if (!response.ok) throw await failureOf(response);
    return response;
  };

/** A stream that broke in the middle is cut: the server had answered already. */
function stateAfter(error: unknown, hasAnswer: boolean, signal: AbortSignal): ExchangeState {
  if (signal.aborted) return 'stopped';
  if (error instanceof GatewayError) return 'failed';
  return error instanceof CutStream || hasAnswer ? 'cut' : 'failed';
}

/** Sends one request, and reports what comes. Never throws. */
export async function runExchange<Draft, Output>(run: Run<Draft, Output>): Promise<void> {
  const { kind, request, gatewayUrl, key, signal, onChange } = run;
  let firstMs: number | undefined;
  let hasAnswer = false;
  const emit = (output: Output) => {
    firstMs ??= Date.now();
    onChange({ output, firstMs });
  };
  try {
    const response = await fetch(`${gatewayUrl}${request.path}`, fetchInit(request, key, signal)).catch(unreachable);
    onChange({ requestId: response.headers.get('x-request-id') });
    if (!response.ok) throw await failureOf(response);
    hasAnswer = true;
    await kind.read({ request, response, emit, signal, callApi: apiOf(run) });
    onChange({ state: 'succeeded', endedMs: Date.now() });
  } catch (error) {
    onChange({ state: stateAfter(error, hasAnswer, signal), error, endedMs: Date.now() });
  }
}
