import {
  type ClaimedRequest,
  NO_USAGE,
  RequestAbort,
  type RequestAbortReason,
  type RequestTakenOver,
  type ResponseEnding,
  type SyncTicket,
  type Usage,
} from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { StreamReader } from '@gateway/upstreams';
import type { WorkerMetrics } from '../observability/metrics.js';
import type { StreamResponse } from '../opened-response.js';

export const ticketOf = ({ model = 'm', ...overrides }: Partial<SyncTicket> = {}): SyncTicket => ({
  schemaVersion: 1,
  requestId: 'req_1',
  accountId: 'acct_a',
  keyId: 'key_1',
  endpoint: 'chat.completions',
  model,
  price: { version: `${model}@2026-01-01`, perMillion: { input_token: '1', output_token: '2' } },
  holdNanoUsd: '1000000',
  deadlineMs: Date.now() + 60_000,
  admittedAtMs: Date.now() - 5,
  replyTo: 'ws://edge:1/relay',
  claimToken: 'c'.repeat(32),
  ...overrides,
});

export const usageOf = (units: Usage['units'], isEstimated = false): Usage => ({
  units,
  inputTokensTotal: units.input_token ?? 0,
  isEstimated,
});

/** Records everything that a worker sends to the edge. */
export class FakeClaim implements ClaimedRequest {
  readonly requestId = 'req_1';
  readonly sent: (readonly [frame: string, payload: unknown])[] = [];
  /** Resolves each `ready()`; undefined: the client always reads. */
  whenReady: Promise<void> | undefined;
  readonly #abort = new AbortController();
  readonly #leave = new AbortController();

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get left(): AbortSignal {
    return this.#leave.signal;
  }

  get frames(): readonly string[] {
    return this.sent.map(([frame]) => frame);
  }

  payload(frame: string): unknown {
    return this.sent.find(([name]) => name === frame)?.[1];
  }

  abort(reason: RequestAbortReason): void {
    this.#abort.abort(new RequestAbort(reason));
  }

  /** Another worker has a kept request. */
  takeOver(reason: RequestTakenOver): void {
    this.#abort.abort(reason);
  }

  /** The client of a request that completes has left. */
  leave(): void {
    this.#leave.abort();
  }

  takeBody = (): Buffer => Buffer.from('{}');
  ready = (): Promise<void> | undefined => this.whenReady;
  head = (payload: unknown): void => this.#record('head', payload);
  data = (bytes: Uint8Array): void => this.#record('data', Buffer.from(bytes).toString());
  meter = (payload: unknown): void => this.#record('meter', payload);
  /** What `keep` returns; undefined: a relay, which keeps nothing. */
  whenKept: ((ending: ResponseEnding) => Promise<void>) | undefined;
  keep = (ending: ResponseEnding): Promise<void> | undefined => this.whenKept?.(ending);
  end = (payload: unknown): undefined => this.#record('end', payload);
  fail = (payload: unknown): undefined => this.#record('fail', payload);

  #record(frame: string, payload: unknown): undefined {
    this.sent.push([frame, payload]);
  }
}

/** Passes bytes through and reports the usage that a test sets. */
export class FakeReader implements StreamReader {
  isFinal = false;
  upstreamId: string | undefined = 'up_1';
  used: Usage = NO_USAGE;

  read = (bytes: Uint8Array): Uint8Array => bytes;

  end(): Uint8Array {
    this.isFinal = true;
    return Buffer.from('[DONE]');
  }

  usage = (): Usage => this.used;
}

/** A stream of the given chunks; an Error among them breaks it. `calls` records how it is released. */
export function streamOf(reader: StreamReader, first: string, later: readonly (string | Error)[] = []) {
  const calls: string[] = [];
  async function* remaining(): AsyncGenerator<Buffer> {
    try {
      for (const chunk of later) {
        if (chunk instanceof Error) throw chunk;
        yield Buffer.from(chunk);
      }
    } finally {
      calls.push('closed');
    }
  }
  const response: StreamResponse = {
    kind: 'stream',
    reader,
    firstBytes: Buffer.from(first),
    remaining: remaining(),
    contentType: 'text/event-stream; charset=utf-8',
    release: () => calls.push('released'),
  };
  return { response, calls };
}

/** Records log lines as `[level, message, fields]`. */
export function fakeLogger() {
  const lines: [level: string, message: string, fields: unknown][] = [];
  const write = (level: string) => (fields: unknown, message: string) => void lines.push([level, message, fields]);
  const logger = { info: write('info'), warn: write('warn'), error: write('error') } as unknown as Logger;
  return { logger, lines };
}

/** Records the outcomes of tickets and of upstream calls, and counters by their labels. */
export function fakeMetrics() {
  const outcomes: string[] = [];
  const upstream: unknown[] = [];
  const stalled: unknown[] = [];
  const detached: string[] = [];
  const metrics = {
    tickets: { inc: ({ outcome }: { outcome: string }) => outcomes.push(outcome) },
    detachedRunning: { inc: () => detached.push('running'), dec: () => detached.push('over') },
    detachedReads: { inc: ({ outcome }: { outcome: string }) => detached.push(outcome) },
    queueWaitSeconds: { observe: () => undefined },
    stalled: { inc: (labels: object, by = 1) => stalled.push([labels, by]) },
    upstreamSeconds: { startTimer: (labels: object) => (end: object) => upstream.push({ ...labels, ...end }) },
  } as unknown as WorkerMetrics;
  return { metrics, outcomes, upstream, stalled, detached };
}
