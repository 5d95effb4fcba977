import { type Claim, GatewayError, NO_USAGE, type RequestOrigin, RequestTakenOver } from '@gateway/contracts';
import { HttpFailure } from '@gateway/http';
import { describe, expect, it } from '@jest/globals';
import { EndTicket } from './end-ticket.service.js';
import type { ExecutePlan, ResponseContext } from './execute-plan.service.js';
import type { KeepLeases } from './handle-interruption/keep-leases.service.js';
import { LimitSpending } from './handle-interruption/limit-spending.service.js';
import { NameImages } from './keep-images/name-images.service.js';
import type { OpenedResponse } from './opened-response.js';
import { PublishResponse } from './publish-response/publish-response.service.js';
import { UsageTicker } from './publish-response/usage-ticker.service.js';
import type { ReportUsage, Settled, UsageReport } from './report-usage/report-usage.service.js';
import { RunTicket } from './run-ticket.service.js';
import { FakeClaim, FakeReader, fakeLogger, fakeMetrics, streamOf, ticketOf, usageOf } from './test-support/fakes.js';

const SOME = usageOf({ input_token: 10, output_token: 3 });
const INPUT_ONLY = usageOf({ input_token: 10 });
const CONNECTION_LOST = new HttpFailure('ambiguous', { wasSent: true, isTimeout: false, code: 'E' });

interface Setup {
  /** What the edge grants. Default: the request. */
  readonly claim?: Claim;
  readonly settled?: Settled;
  /** Plays the upstream. */
  open(context: ResponseContext): Promise<OpenedResponse>;
  readonly ticket?: Parameters<typeof ticketOf>[0];
  /** What the account can spend beyond the hold. */
  readonly headroomNanoUsd?: bigint;
}

function setUp({ claim, settled, open, ticket, headroomNanoUsd = 0n }: Setup) {
  const claimed = new FakeClaim();
  const stop = new AbortController();
  const reports: UsageReport[] = [];
  const { logger, lines } = fakeLogger();
  const { metrics, outcomes, detached } = fakeMetrics();
  const origin: RequestOrigin = { claim: async () => claim ?? claimed };
  const plans = { open: (_ticket: unknown, _body: Buffer, context: ResponseContext) => open(context) };
  const usage = {
    costOf: () => 7_000n,
    settle: async (
      _ticket: unknown,
      report: UsageReport,
      keep: (settlement: never) => Promise<void> | undefined,
    ): Promise<Settled> => {
      await keep({} as never);
      reports.push(report);
      return settled ?? { costNanoUsd: 7_000n, balanceNanoUsd: 93_000n };
    },
  };
  const kept: string[] = [];
  const leases = { keep: () => kept.push('kept'), release: () => kept.push('released') };
  const service = new RunTicket(
    origin,
    plans as unknown as ExecutePlan,
    new NameImages(undefined, metrics, logger),
    new EndTicket(
      new PublishResponse(new UsageTicker()),
      usage as unknown as ReportUsage,
      new LimitSpending({ headroom: async () => headroomNanoUsd }, logger),
      metrics,
      logger,
    ),
    leases as unknown as KeepLeases,
    metrics,
  );
  let claims = 0;
  const onClaimed = () => {
    claims += 1;
  };
  const run = () => service.run(ticketOf(ticket), stop.signal, onClaimed);
  return { run, claimed, stop, reports, lines, outcomes, detached, kept, claimCount: () => claims };
}

/** Rejects with the reason of the abort, as an upstream call does. */
const untilAborted = ({ signal }: ResponseContext): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

const whole = async (): Promise<OpenedResponse> => ({
  kind: 'unary',
  body: Buffer.from('{"ok":1}'),
  usage: SOME,
  upstreamId: 'up_1',
});

describe('a claim', () => {
  it('that is denied ends the ticket without a settlement', async () => {
    const { run, reports, outcomes, claimCount } = setUp({ claim: 'denied', open: whole });
    expect([await run(), reports, outcomes, claimCount()]).toEqual([undefined, [], ['denied'], 0]);
  });

  it('that is granted is reported before the upstream is called', async () => {
    const seen: number[] = [];
    const test = setUp({
      open: () => {
        seen.push(test.claimCount());
        return whole();
      },
    });
    await test.run();
    expect(seen).toEqual([1]);
  });

  it('at an unreachable edge requeues the ticket without a settlement', async () => {
    const { run, reports, outcomes } = setUp({ claim: 'unreachable', open: whole });
    expect([await run(), reports, outcomes]).toEqual(['requeue', [], ['unreachable']]);
  });
});

describe('a sink that keeps responses', () => {
  it('gets the whole response before it is settled', async () => {
    const { run, claimed, reports } = setUp({ open: whole });
    const kept: unknown[] = [];
    claimed.whenKept = async ({ whole: response }) => void kept.push([response?.body.toString(), reports.length]);
    await run();
    expect(kept).toEqual([['{"ok":1}', 0]]);
    expect(reports).toHaveLength(1);
  });

  it('prevents the settlement if another worker has the request', async () => {
    const { run, claimed, reports, outcomes } = setUp({ open: whole });
    claimed.whenKept = () => Promise.reject(new RequestTakenOver('req_1'));
    await run();
    expect([reports, claimed.frames, outcomes]).toEqual([[], [], ['taken_over']]);
  });

  it('makes a response free that it cannot store', async () => {
    const { run, claimed, reports } = setUp({ open: whole });
    claimed.whenKept = async ({ failure }) => {
      if (failure === undefined) throw new GatewayError('response_not_stored', 'no room');
    };
    await run();
    expect(reports).toMatchObject([{ outcome: 'failed', usage: NO_USAGE, errorCode: 'response_not_stored' }]);
    expect(claimed.frames).toEqual(['fail']);
  });
});

describe('a unary response', () => {
  it('is settled before its headers, which show cost and balance', async () => {
    const { run, claimed, reports, outcomes } = setUp({ open: whole });
    expect(await run()).toBeUndefined();
    expect(claimed.sent).toEqual([
      [
        'head',
        {
          status: 200,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'content-length': '8',
            'x-cost-usd': '0.000007',
            'x-balance-usd': '0.000093',
          },
        },
      ],
      ['data', '{"ok":1}'],
      ['end', { costNanoUsd: '7000', balanceNanoUsd: '93000' }],
    ]);
    expect(reports).toEqual([
      {
        outcome: 'completed',
        usage: SOME,
        attempts: [],
        startedAtMs: expect.any(Number),
        firstByteAtMs: expect.any(Number),
        errorCode: undefined,
        status: 200,
        changes: undefined,
      },
    ]);
    expect(outcomes).toEqual(['completed']);
  });

  it('is sent without a balance if its settlement is slow', async () => {
    const { run, claimed } = setUp({ open: whole, settled: { costNanoUsd: 7_000n, balanceNanoUsd: undefined } });
    await run();
    expect(claimed.payload('head')).not.toHaveProperty('headers.x-balance-usd');
    expect(claimed.payload('end')).toEqual({ costNanoUsd: '7000' });
  });
});

describe('the changes of an adapter', () => {
  const changes = { filled: { temperature: '1' }, dropped: [] };

  it('are in the head of a unary response', async () => {
    const { run, claimed, reports } = setUp({ open: async () => ({ ...(await whole()), changes }) });
    await run();
    expect(claimed.payload('head')).toMatchObject({ status: 200, changes });
    expect(reports).toMatchObject([{ status: 200, changes }]);
  });

  it('are in the head of a stream', async () => {
    const { response } = streamOf(new FakeReader(), 'one', []);
    const { run, claimed } = setUp({ open: async () => ({ ...response, changes }) });
    await run();
    expect(claimed.payload('head')).toMatchObject({ status: 200, changes });
  });
});

describe('a stream', () => {
  it('is sent as it arrives, released, and settled before its end', async () => {
    const reader = new FakeReader();
    reader.used = SOME;
    const { response, calls } = streamOf(reader, 'one ', ['two']);
    const { run, claimed, reports, outcomes } = setUp({ open: async () => response });
    await run();
    expect(claimed.frames).toEqual(['meter', 'head', 'data', 'data', 'data', 'end']);
    expect(claimed.payload('head')).toEqual({
      status: 200,
      headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    });
    expect(claimed.payload('end')).toEqual({ costNanoUsd: '7000', balanceNanoUsd: '93000' });
    expect(calls).toEqual(['closed', 'released']);
    expect([reports.map(({ outcome, usage }) => [outcome, usage]), outcomes]).toEqual([
      [['completed', SOME]],
      ['completed'],
    ]);
  });

  it('shows its cost in the headers if the total is known before the end', async () => {
    const { response } = streamOf(new FakeReader(), 'one');
    const { run, claimed } = setUp({ open: async () => ({ ...response, totalUsage: SOME }) });
    await run();
    expect(claimed.payload('head')).toHaveProperty('headers.x-cost-usd', '0.000007');
  });

  it('outlives the deadline once it has begun', async () => {
    const reader = new FakeReader();
    const { response } = streamOf(reader, 'one ', ['two']);
    const { run, claimed, outcomes } = setUp({
      ticket: { deadlineMs: Date.now() + 20 },
      open: async () => response,
    });
    claimed.whenReady = new Promise((resolve) => setTimeout(resolve, 40));
    await run();
    expect(outcomes).toEqual(['completed']);
  });
});

/** The one report and the failure that the edge received. */
const failureOf = ({ reports, claimed, outcomes }: ReturnType<typeof setUp>) => ({
  reported: reports.map(({ outcome, usage, errorCode }) => ({ outcome, usage, errorCode })),
  code: (claimed.payload('fail') as { code: string } | undefined)?.code,
  outcomes,
});

describe('a request that fails before the first byte', () => {
  it.each([
    ['the channels are unavailable', new GatewayError('upstream_unavailable', 'No.'), 'upstream_unavailable'],
    ['the connection breaks', CONNECTION_LOST, 'upstream_error'],
    ['the upstream rejects it', new GatewayError('invalid_request', 'No.'), 'invalid_request'],
  ])('is free if %s', async (_, error, code) => {
    const test = setUp({ open: () => Promise.reject(error) });
    await test.run();
    expect(failureOf(test)).toEqual({
      reported: [{ outcome: 'failed', usage: NO_USAGE, errorCode: code }],
      code,
      outcomes: ['failed'],
    });
    expect(test.claimed.payload('fail')).toMatchObject({ settled: { costNanoUsd: '7000', balanceNanoUsd: '93000' } });
    expect(test.lines).toEqual([]);
  });

  it('is free if the deadline passes, whatever its reader has metered', async () => {
    const test = setUp({
      ticket: { deadlineMs: Date.now() + 5 },
      open: (context) => {
        const reader = new FakeReader();
        reader.used = SOME;
        context.onReader(reader);
        return untilAborted(context);
      },
    });
    await test.run();
    expect(failureOf(test)).toEqual({
      reported: [{ outcome: 'failed', usage: NO_USAGE, errorCode: 'upstream_timeout' }],
      code: 'upstream_timeout',
      outcomes: ['failed'],
    });
  });

  it('is free if this worker stops', async () => {
    const test = setUp({ open: untilAborted });
    setTimeout(() => test.stop.abort(new Error('shutting down')), 5);
    await test.run();
    expect(failureOf(test)).toEqual({
      reported: [{ outcome: 'failed', usage: NO_USAGE, errorCode: 'worker_lost' }],
      code: 'worker_lost',
      outcomes: ['failed'],
    });
  });

  it('is free and logged if the fault is ours, of which the client learns nothing', async () => {
    const test = setUp({ open: () => Promise.reject(new TypeError('secret detail')) });
    await test.run();
    expect(failureOf(test)).toMatchObject({ reported: [{ outcome: 'failed' }], code: 'internal_error' });
    expect(JSON.stringify(test.claimed.sent)).not.toContain('secret detail');
    expect(test.lines).toEqual([
      ['error', 'ticket failed internally', { requestId: 'req_1', err: expect.any(TypeError) }],
    ]);
  });
});

describe('a client that leaves', () => {
  it.each(['client_closed', 'edge_lost'] as const)('before the upstream responds pays nothing: %s', async (reason) => {
    const test = setUp({ open: untilAborted });
    setTimeout(() => test.claimed.abort(reason), 5);
    await test.run();
    expect(failureOf(test)).toEqual({
      reported: [{ outcome: 'aborted', usage: NO_USAGE, errorCode: 'client_closed_request' }],
      code: 'client_closed_request',
      outcomes: ['aborted'],
    });
  });

  it('after the upstream has responded pays for what was used, and cancels the upstream', async () => {
    const reader = new FakeReader();
    reader.used = INPUT_ONLY;
    const { response, calls } = streamOf(reader, 'one ', ['two', 'three']);
    const left = Promise.withResolvers<void>();
    const test = setUp({
      open: async (context) => {
        context.onReader(reader);
        setTimeout(() => {
          test.claimed.abort('client_closed');
          left.resolve();
        }, 5);
        return response;
      },
    });
    test.claimed.whenReady = left.promise;
    await test.run();
    expect(failureOf(test)).toEqual({
      reported: [{ outcome: 'aborted', usage: INPUT_ONLY, errorCode: 'client_closed_request' }],
      code: 'client_closed_request',
      outcomes: ['aborted'],
    });
    expect(calls).toContain('released');
  });

  it('pays as for a completed response if the upstream had sent its own end', async () => {
    const reader = new FakeReader();
    reader.used = SOME;
    reader.isFinal = true;
    const test = setUp({
      open: (context) => {
        context.onReader(reader);
        test.claimed.abort('client_closed');
        return Promise.reject(context.signal.reason);
      },
    });
    await test.run();
    expect(failureOf(test)).toMatchObject({
      reported: [{ outcome: 'completed', usage: SOME }],
      outcomes: ['aborted'],
    });
  });
});

describe('a client that leaves a request that stops', () => {
  it('before the first bytes pays for the prompt, once the upstream has counted it', async () => {
    const reader = new FakeReader();
    reader.used = INPUT_ONLY;
    const { response, calls } = streamOf(reader, 'one ', ['two']);
    const test = setUp({
      ticket: { abortContract: 'stops' },
      open: async (context) => {
        context.onSent(true);
        test.claimed.abort('client_closed');
        context.onReader(reader);
        expect(context.signal.aborted).toBe(false);
        await response.remaining.next();
        return response;
      },
    });
    await test.run();
    expect(failureOf(test)).toMatchObject({
      reported: [{ outcome: 'aborted', usage: INPUT_ONLY }],
      outcomes: ['aborted'],
    });
    expect(calls).toEqual(['closed', 'released']);
    expect(test.claimed.frames).toEqual(['fail']);
  });

  it('is still the one who ended it if the upstream then fails before it has counted the prompt', async () => {
    const test = setUp({
      ticket: { abortContract: 'stops' },
      open: async (context) => {
        context.onSent(true);
        test.claimed.abort('client_closed');
        throw new GatewayError('upstream_error', 'The vendor failed.');
      },
    });
    await test.run();
    expect(failureOf(test)).toMatchObject({
      reported: [{ outcome: 'aborted', usage: NO_USAGE, errorCode: 'client_closed_request' }],
      outcomes: ['aborted'],
    });
  });
});

describe('a stream whose cost passes its hold and what its account can spend', () => {
  const beyond = (headroomNanoUsd: bigint) => {
    const reader = new FakeReader();
    reader.used = SOME;
    const { response } = streamOf(reader, 'one ', ['two']);
    const test = setUp({
      // It has cost 7,000.
      ticket: { holdNanoUsd: '5000' },
      headroomNanoUsd,
      open: async (context) => {
        context.onReader(reader);
        return response;
      },
    });
    test.claimed.whenReady = new Promise((resolve) => setTimeout(resolve, 5));
    return test;
  };

  it('is ended, and charged for what it used', async () => {
    const test = beyond(1_999n);
    await test.run();
    expect(failureOf(test)).toEqual({
      reported: [{ outcome: 'interrupted', usage: SOME, errorCode: 'insufficient_quota' }],
      code: 'insufficient_quota',
      outcomes: ['interrupted'],
    });
  });

  it('goes on while the account can pay', async () => {
    const test = beyond(2_000n);
    await test.run();
    expect(test.outcomes).toEqual(['completed']);
  });
});

describe('a client that leaves a request that completes', () => {
  const heldInput = { units: { input_token: 90 }, inputTokensTotal: 90 };
  const completing = { abortContract: 'completes', heldInput } as const;

  it('changes nothing: the response is read to its end and charged whole', async () => {
    const reader = new FakeReader();
    const { response } = streamOf(reader, 'one ', ['two']);
    const test = setUp({
      ticket: completing,
      open: async (context) => {
        context.onSent(true);
        test.claimed.leave();
        reader.used = SOME;
        return response;
      },
    });
    await test.run();
    expect(test.reports).toMatchObject([{ outcome: 'completed', usage: SOME }]);
    expect(test.claimed.frames.at(-1)).toBe('end');
    expect(test.detached).toEqual(['running', 'over', 'completed']);
  });

  it('continues without its edge, and keeps its lease and its hold until the end', async () => {
    const reader = new FakeReader();
    reader.used = SOME;
    const { response } = streamOf(reader, 'one ', ['two']);
    const test = setUp({
      ticket: completing,
      open: async (context) => {
        context.onSent(true);
        test.claimed.leave();
        test.claimed.abort('edge_lost');
        return response;
      },
    });
    await test.run();
    expect(test.reports).toMatchObject([{ outcome: 'completed', usage: SOME }]);
    expect(test.kept).toEqual(['kept', 'released']);
  });

  it('is free before the request was sent', async () => {
    const test = setUp({ ticket: completing, open: untilAborted });
    setTimeout(() => test.claimed.leave(), 5);
    await test.run();
    expect(failureOf(test)).toMatchObject({
      reported: [{ outcome: 'aborted', usage: NO_USAGE, errorCode: 'client_closed_request' }],
    });
    expect(test.detached).toEqual([]);
  });

  it.each([
    ['this worker stops', 'stopped', 'worker_lost'],
    ['the response does not end in time', 'deadline', 'upstream_timeout'],
  ])('costs at least the held prompt if %s', async (_case, end, errorCode) => {
    const nowMs = Date.now();
    const test = setUp({
      ticket: { ...completing, admittedAtMs: nowMs, deadlineMs: nowMs + (end === 'deadline' ? 30 : 60_000) },
      open: (context) => {
        context.onSent(true);
        test.claimed.leave();
        if (end === 'stopped') test.stop.abort(new Error('shutting down'));
        return context.signal.aborted ? Promise.reject(context.signal.reason) : untilAborted(context);
      },
    });
    await test.run();
    expect(failureOf(test).reported).toEqual([
      { outcome: 'aborted', usage: { ...heldInput, isEstimated: true }, errorCode },
    ]);
    expect(test.detached).toEqual(['running', 'over', end]);
  });

  it('is free if the vendor fails, as for a client that stays', async () => {
    const test = setUp({
      ticket: completing,
      open: (context) => {
        context.onSent(true);
        test.claimed.leave();
        return Promise.reject(CONNECTION_LOST);
      },
    });
    await test.run();
    expect(failureOf(test)).toMatchObject({ reported: [{ outcome: 'failed', usage: NO_USAGE }] });
    expect(test.detached.at(-1)).toBe('failed');
  });
});

describe('a stream that breaks after its first byte', () => {
  /** Breaks after `one`, with this usage metered. */
  async function breakStream(used: typeof SOME, error: Error = CONNECTION_LOST) {
    const reader = new FakeReader();
    reader.used = used;
    const { response, calls } = streamOf(reader, 'one', [error]);
    const test = setUp({
      open: async (context) => {
        context.onReader(reader);
        return response;
      },
    });
    await test.run();
    expect(calls).toEqual(['closed', 'released']);
    return failureOf(test);
  }

  it('is charged for what was used if there was output', async () => {
    expect(await breakStream(SOME)).toEqual({
      reported: [{ outcome: 'interrupted', usage: SOME, errorCode: 'upstream_error' }],
      code: 'upstream_error',
      outcomes: ['interrupted'],
    });
  });

  it('is free if there was no output', async () => {
    expect(await breakStream(INPUT_ONLY)).toMatchObject({
      reported: [{ outcome: 'failed', usage: NO_USAGE }],
      outcomes: ['failed'],
    });
  });

  it('is charged for what was used if this worker stops', async () => {
    const reader = new FakeReader();
    reader.used = SOME;
    const test = setUp({
      open: async (context) => {
        context.onReader(reader);
        const { response } = streamOf(reader, 'one', [new Error('aborted')]);
        test.stop.abort(new Error('shutting down'));
        return response;
      },
    });
    await test.run();
    expect(failureOf(test)).toEqual({
      reported: [{ outcome: 'interrupted', usage: SOME, errorCode: 'worker_lost' }],
      code: 'worker_lost',
      outcomes: ['interrupted'],
    });
  });
});
