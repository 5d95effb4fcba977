import { GatewayError, type SettlementOutcome } from '@gateway/contracts';
import { createMetrics, type Logger } from '@gateway/observability';
import type { PendingRequestHandlers, RelayServer } from '@gateway/relay';
import { describe, expect, it } from '@jest/globals';
import type { AdmissionListener, Admit } from './admit/admit.service.js';
import type { Dispatch } from './dispatch/dispatch.service.js';
import type { AdmittedRequest, ValidRequest } from './edge-request.js';
import type { IdempotencyClaims } from './idempotency/idempotency-claims.service.js';
import { LeftResponses } from './idempotency/left-responses.service.js';
import { edgeMetrics } from './observability/metrics.js';
import type { EdgeSettlement } from './relay/edge-settlement.service.js';
import { RunningResponses } from './relay/running-responses.service.js';
import { RelayResponse } from './relay-response.service.js';
import { RunRequest } from './run-request.service.js';
import { admittedRequest, FakeReply, REQUEST_ID, validRequest } from './test-support/edge-fakes.js';
import type { EdgeConfig } from './tokens.js';

type Admission = (valid: ValidRequest, listener: AdmissionListener) => AdmittedRequest;

/** The spine with real responses, and fakes for admission, queue, relay and settlement. */
function spine({ admit = () => admittedRequest(), isQueueAway = false }: { admit?: Admission; isQueueAway?: boolean }) {
  const calls: string[] = [];
  const logged: object[] = [];
  const settled: { outcome: SettlementOutcome; code: string }[] = [];
  let worker: PendingRequestHandlers | undefined;
  const admission = { admit: async (...call: Parameters<Admission>) => admit(...call) } as unknown as Admit;
  const dispatch = {
    enqueue: async () => {
      calls.push('enqueue');
      if (isQueueAway) throw new GatewayError('service_unavailable', 'The queue is away.', { retryAfterMs: 1_000 });
    },
    withdraw: async () => void calls.push('withdraw'),
  } as unknown as Dispatch;
  const settlement = {
    settle: (_request: AdmittedRequest, outcome: SettlementOutcome, _reading: unknown, code: string) => {
      settled.push({ outcome, code });
    },
    settleLost: async (_request: AdmittedRequest, outcome: SettlementOutcome) => {
      settled.push({ outcome, code: 'worker_lost' });
      return undefined;
    },
  } as unknown as EdgeSettlement;
  const relay = {
    expect: (_id: string, claimToken: string, handlers: PendingRequestHandlers) => {
      calls.push(claimToken === '' ? 'expect no token' : 'expect token');
      worker = handlers;
      return { pause() {}, resume() {}, release() {}, cancel: () => true };
    },
  } as unknown as RelayServer;
  const config = {
    responseLimits: { acceptTimeoutMs: 10_000, slowClientTimeoutMs: 10_000, heartbeatMs: 10_000 },
  } as EdgeConfig;
  const registry = createMetrics('test');
  const metrics = edgeMetrics(registry);
  const running = new RunningResponses({} as never, config);
  const relayResponse = new RelayResponse(dispatch, running, settlement, relay, config, metrics);
  const logger = { info: (fields: object) => logged.push(fields) } as unknown as Logger;
  const runRequest = new RunRequest(
    admission,
    relayResponse,
    settlement,
    new LeftResponses({} as IdempotencyClaims),
    metrics,
    logger,
  );
  const reply = new FakeReply();
  return {
    calls,
    logged,
    registry,
    reply,
    run: () => runRequest.run(validRequest(), reply.asReply),
    running,
    settled,
    worker: () => {
      if (worker === undefined) throw new Error('no worker is expected');
      return worker;
    },
  };
}

const nextTurn = () => new Promise(setImmediate);

describe('RunRequest', () => {
  it('expects the claim before it queues the ticket, relays the response, and logs it', async () => {
    const { calls, logged, reply, run, running, settled, worker } = spine({});
    const done = run();
    await nextTurn();
    expect([calls, running.count]).toEqual([['expect token', 'enqueue'], 1]);
    worker().onGranted('worker-1');
    worker().onHead({ status: 200, headers: {} });
    worker().onData(Buffer.from('hello'));
    worker().onEnd({ costNanoUsd: '1' });
    await done;
    expect([reply.socket.text, running.count, settled]).toEqual(['hello', 0, []]);
    expect(logged).toMatchObject([
      { requestId: REQUEST_ID, accountId: 'acct_a', keyId: 'key_a', endpoint: 'chat.completions', status: 200 },
    ]);
  });

  it('settles at zero and refuses if the ticket cannot be queued', async () => {
    const { calls, registry, reply, run, running, settled } = spine({ isQueueAway: true });
    await run();
    expect(settled).toEqual([{ outcome: 'failed', code: 'service_unavailable' }]);
    expect(calls).toEqual(['expect token', 'enqueue', 'withdraw']);
    expect([reply.status, running.count]).toEqual([503, 0]);
    expect(await registry.registry.metrics()).toMatch(/gateway_errors_total\{[^}]*place="head"[^}]*\} 1/);
  });

  it('settles what a lost worker leaves, and counts the error', async () => {
    const { reply, run, settled, worker } = spine({});
    const done = run();
    await nextTurn();
    worker().onGranted('worker-1');
    worker().onWorkerLost();
    await done;
    expect(settled).toEqual([{ outcome: 'failed', code: 'worker_lost' }]);
    expect(reply.status).toBeGreaterThanOrEqual(500);
  });

  it('writes the error event of a stream in the dialect of the client', async () => {
    const { registry, reply, run, worker } = spine({ admit: () => admittedRequest({ isStream: true }) });
    const done = run();
    await nextTurn();
    worker().onGranted('worker-1');
    worker().onHead({ status: 200, headers: {} });
    worker().onWorkerLost();
    await done;
    expect(reply.socket.text).toMatch(/^\s*data: \{.*worker_lost/);
    expect(await registry.registry.metrics()).toMatch(/gateway_errors_total\{[^}]*place="stream"[^}]*\} 1/);
  });

  it('runs nothing that was not admitted, and sends rate and balance in its headers', async () => {
    const refusal = new GatewayError('insufficient_balance', 'no money');
    const { calls, logged, reply, run, settled } = spine({
      admit: (_valid, listener) => {
        listener.onRate({ limit: 60, remaining: 59, resetMs: 500 });
        listener.onRefused(2_000_000_000n);
        throw refusal;
      },
    });
    await expect(run()).rejects.toBe(refusal);
    expect([calls, settled, logged]).toEqual([[], [], []]);
    expect(reply.sentHeaders).toMatchObject({ 'x-ratelimit-limit-requests': '60' });
    expect(Number(reply.sentHeaders['x-balance-usd'])).toBe(2);
  });

  it('settles the hold of an admission whose outcome is unknown', async () => {
    const refusal = new GatewayError('service_unavailable', 'Redis is away');
    const { calls, run, settled } = spine({
      admit: (_valid, listener) => {
        listener.onOutcomeUnknown(admittedRequest());
        throw refusal;
      },
    });
    await expect(run()).rejects.toBe(refusal);
    expect([settled, calls]).toEqual([[{ outcome: 'failed', code: 'service_unavailable' }], []]);
  });
});
