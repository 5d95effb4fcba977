import { useCallback, useEffect, useRef, useState } from 'react';
import { isGatewayError } from '../../../api/failures.js';
import type { Quote } from '../../../api/quotes.js';
import { randomId } from '../../../api/random-id.js';
import { useSettings } from '../../../api/settings.js';
import type { ApiRequest } from './api-request.js';
import { type Exchange, hasEnded } from './exchange.js';
import type { Kind } from './kind.js';
import { forgetPlaygroundKey } from './playground-key.js';
import { type RunChange, runExchange } from './run-exchange.js';

/** The key was revoked on another page. */
const UNAUTHORIZED = 401;

type Columns<Draft, Output> = Readonly<Record<string, readonly Exchange<Draft, Output>[]>>;

/** One request to be sent. `model`: the column that it belongs to. */
export interface Job<Draft> {
  readonly model: string;
  readonly draft: Draft;
  readonly request: ApiRequest;
  readonly quote: Quote | null;
}

const newExchange = <Draft, Output>(job: Job<Draft>, output: Output): Exchange<Draft, Output> => ({
  id: randomId(),
  draft: job.draft,
  request: job.request,
  quote: job.quote,
  state: 'running',
  output,
  requestId: null,
  sentMs: Date.now(),
  firstMs: null,
  endedMs: null,
  error: null,
});

/** Joins the changes of one frame: a fast stream must not draw more often than the screen does. */
function perFrame<Change extends object>(apply: (change: Change) => void) {
  let waiting: Change | undefined;
  let frame = 0;
  const flush = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (waiting !== undefined) apply(waiting);
    waiting = undefined;
  };
  return {
    add(change: Change) {
      waiting = { ...waiting, ...change };
      if (frame === 0) frame = requestAnimationFrame(flush);
    },
    flush,
  };
}

/** What was sent to each model, and what runs. Leaving the page stops what runs. */
export function useColumns<Draft, Output>(kind: Kind<Draft, Output>) {
  const { gateway_url: gatewayUrl } = useSettings();
  const [columns, setColumns] = useState<Columns<Draft, Output>>({});
  const running = useRef(new Map<string, AbortController>());
  const stop = useCallback(() => {
    for (const controller of running.current.values()) controller.abort();
  }, []);
  useEffect(() => stop, [stop]);
  const change = (model: string, id: string, changed: RunChange<Output>) =>
    setColumns((before) => ({
      ...before,
      [model]: (before[model] ?? []).map((one) => (one.id === id ? { ...one, ...changed } : one)),
    }));
  const send = (job: Job<Draft>, key: string) => {
    const exchange = newExchange(job, kind.start);
    const controller = new AbortController();
    running.current.set(exchange.id, controller);
    setColumns((before) => ({
      ...before,
      [job.model]: kind.isConversation ? [...(before[job.model] ?? []), exchange] : [exchange],
    }));
    const frames = perFrame((changed: RunChange<Output>) => change(job.model, exchange.id, changed));
    const onChange = (changed: RunChange<Output>) => {
      if (isGatewayError(changed.error) && changed.error.status === UNAUTHORIZED) forgetPlaygroundKey();
      frames.add(changed);
    };
    const run = { kind, request: job.request, gatewayUrl, key, signal: controller.signal, onChange };
    void runExchange(run).then(() => {
      frames.flush();
      running.current.delete(exchange.id);
    });
  };
  const isRunning = Object.values(columns).some((exchanges) => exchanges.some((one) => !hasEnded(one)));
  /** As it is now, which the page may not show yet. */
  const hasRunning = () => running.current.size > 0;
  return { columns, send, stop, clear: () => setColumns({}), isRunning, hasRunning };
}
