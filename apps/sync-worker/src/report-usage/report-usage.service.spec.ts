import { VendorCosts } from '@gateway/channels';
import { NO_USAGE, type UsageSettled, usageSettled } from '@gateway/contracts';
import { createMetrics, NO_TRACING, type SpanOptions, type Tracing } from '@gateway/observability';
import type { Settlement, Settler } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import type { WorkerMetrics } from '../observability/metrics.js';
import { fakeLogger, ticketOf, usageOf } from '../test-support/fakes.js';
import { ReportUsage, type UsageReport } from './report-usage.service.js';

const SETTLEMENT = { balanceNanoUsd: 93_000n } as Settlement;

/** `settlement`: what Redis confirms in time; null: nothing. */
function setUp(settlement: Settlement | null = SETTLEMENT, tracing: Tracing = NO_TRACING) {
  const events: UsageSettled[] = [];
  const waits: number[] = [];
  const settler = {
    settle: async (event: UsageSettled, waitMs: number) => {
      events.push(event);
      waits.push(waitMs);
      return settlement ?? undefined;
    },
  };
  const { logger, lines } = fakeLogger();
  const unpriced: object[] = [];
  const metrics = { unpricedUsage: { inc: (labels: object) => unpriced.push(labels) } } as unknown as WorkerMetrics;
  const costs = new VendorCosts(createMetrics('sync-worker'), []);
  const service = new ReportUsage(settler as unknown as Settler, logger, tracing, metrics, costs);
  return { service, events, waits, lines, unpriced };
}

const reportOf = (overrides: Partial<UsageReport> = {}): UsageReport => ({
  outcome: 'completed',
  usage: usageOf({ input_token: 1_000, output_token: 500 }),
  attempts: [],
  startedAtMs: 1,
  status: 200,
  ...overrides,
});

describe('ReportUsage.settle', () => {
  it('settles each unit at the price frozen in the ticket', async () => {
    const { service, events } = setUp();
    const attempts = [{ channel: 'a', status: 200, startedAtMs: 1, endedAtMs: 2 }];
    const settled = await service.settle(ticketOf(), reportOf({ attempts, firstByteAtMs: 2 }));
    expect(settled).toEqual({ costNanoUsd: 2_000_000n, balanceNanoUsd: 93_000n });
    expect(events).toEqual([
      {
        schemaVersion: 1,
        requestId: 'req_1',
        accountId: 'acct_a',
        keyId: 'key_1',
        endpoint: 'chat.completions',
        model: 'm',
        outcome: 'completed',
        holdNanoUsd: '1000000',
        costNanoUsd: '2000000',
        priceVersion: 'm@2026-01-01',
        unitPrices: { input_token: '1', output_token: '2' },
        units: { input_token: 1_000, output_token: 500 },
        isEstimated: false,
        attempts,
        admittedAtMs: expect.any(Number),
        startedAtMs: 1,
        firstByteAtMs: 2,
        status: 200,
        settledAtMs: expect.any(Number),
      },
    ]);
    expect(usageSettled.parse(events[0])).toEqual(events[0]);
  });

  it('settles only what is kept: a response that is charged can be fetched', async () => {
    const { service, events } = setUp();
    const steps: string[] = [];
    const keep = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      steps.push(`kept before ${events.length} settlements`);
    };
    await service.settle(ticketOf(), reportOf(), keep);
    const lost = service.settle(ticketOf(), reportOf(), () => Promise.reject(new Error('not kept')));
    await expect(lost).rejects.toThrow('not kept');
    expect([steps, events.length]).toEqual([['kept before 0 settlements'], 1]);
  });

  it('charges the prices of long prompts above their limit', async () => {
    const { service, events } = setUp();
    const price = {
      version: 'm@2026-01-01',
      perMillion: { input_token: '1' },
      longPrompt: { aboveInputTokens: 500, perMillion: { input_token: '3' } },
    };
    const usage = usageOf({ input_token: 1_000 });
    expect((await service.settle(ticketOf({ price }), reportOf({ usage }))).costNanoUsd).toBe(3_000_000n);
    expect(events[0]?.unitPrices).toEqual({ input_token: '3' });
  });

  it('charges the priced units, and raises a unit and a field without a price', async () => {
    const { service, events, lines, unpriced } = setUp();
    const usage = { ...usageOf({ input_token: 1_000, web_search: 2 }), unpriced: ['service_tier'] };
    const ticket = ticketOf({ model: 'cl-sonnet-4-6', endpoint: 'messages' });
    expect((await service.settle(ticket, reportOf({ usage }))).costNanoUsd).toBe(1_000_000n);
    expect(events[0]?.units).toEqual({ input_token: 1_000 });
    const protocol = 'anthropic-messages';
    expect(lines[0]).toEqual([
      'error',
      'usage without a price',
      { requestId: 'req_1', model: 'cl-sonnet-4-6', protocol, unpriced: ['web_search', 'service_tier'] },
    ]);
    expect(unpriced).toEqual([
      { protocol, field: 'web_search' },
      { protocol, field: 'service_tier' },
    ]);
  });

  it('counts fields that a vendor invents beyond the first 50 as one', async () => {
    const { service, unpriced } = setUp();
    for (let field = 0; field < 60; field += 1) {
      await service.settle(ticketOf(), reportOf({ usage: { ...usageOf({}), unpriced: [`invented_${field}`] } }));
    }
    expect(new Set(unpriced.map((labels) => (labels as { field: string }).field)).size).toBe(51);
    expect(unpriced.at(-1)).toMatchObject({ field: 'other' });
  });

  it('leaves out units that were not used, priced or not', async () => {
    const { service, events, lines } = setUp();
    await service.settle(ticketOf(), reportOf({ usage: usageOf({ input_token: 0, web_search: 0, output_token: 1 }) }));
    expect(events[0]?.units).toEqual({ output_token: 1 });
    expect(lines.map(([level]) => level)).toEqual(['info']);
  });

  it('charges a test key nothing but reports what it used', async () => {
    const { service, events } = setUp();
    expect((await service.settle(ticketOf({ isTest: true }), reportOf())).costNanoUsd).toBe(0n);
    expect(events[0]).toMatchObject({ costNanoUsd: '0', units: { input_token: 1_000, output_token: 500 } });
  });

  it('takes the cost that the vendor reports, except of a test key', async () => {
    const attempts = [{ channel: 'xai-1', status: 200, startedAtMs: 1, endedAtMs: 2, vendorCostNanoUsd: '123' }];
    const { service, events } = setUp();
    for (const isTest of [undefined, true] as const) {
      await service.settle(ticketOf(isTest && { isTest }), { ...reportOf(), attempts });
    }
    expect(events.map(({ vendorCostNanoUsd }) => vendorCostNanoUsd)).toEqual(['123', '0']);
  });

  it('waits two seconds for Redis at most, then returns the cost without a balance', async () => {
    const { service, waits } = setUp();
    await service.settle(ticketOf(), reportOf());
    expect(waits).toEqual([2_000]);
    const slow = setUp(null);
    expect(await slow.service.settle(ticketOf(), reportOf())).toEqual({
      costNanoUsd: 2_000_000n,
      balanceNanoUsd: undefined,
    });
  });

  it('marks an estimate as one', async () => {
    const { service, events } = setUp();
    await service.settle(ticketOf(), reportOf({ outcome: 'interrupted', usage: usageOf({ output_token: 5 }, true) }));
    expect(events[0]).toMatchObject({ outcome: 'interrupted', isEstimated: true, units: { output_token: 5 } });
  });

  it('settles a failed request at zero, with its error code and without a first byte', async () => {
    const { service, events } = setUp();
    const failed = reportOf({ outcome: 'failed', usage: NO_USAGE, errorCode: 'upstream_timeout' });
    expect((await service.settle(ticketOf(), failed)).costNanoUsd).toBe(0n);
    expect(events[0]).toMatchObject({ costNanoUsd: '0', units: {}, errorCode: 'upstream_timeout' });
    expect(events[0]).not.toHaveProperty('firstByteAtMs');
  });

  it('logs the settlement with the last channel', async () => {
    const { service, lines } = setUp();
    const attempts = ['a', 'b'].map((channel) => ({ channel, startedAtMs: 1, endedAtMs: 2 }));
    await service.settle(ticketOf(), reportOf({ attempts }));
    expect(lines).toEqual([
      ['info', 'request settled', expect.objectContaining({ requestId: 'req_1', attempts: 2, channel: 'b' })],
    ]);
  });

  it('traces the ticket, and each of its upstream calls below it', async () => {
    const spans: [name: string, parent: string | undefined][] = [];
    const tracing: Tracing = {
      ...NO_TRACING,
      startSpan: (name: string, { parent }: SpanOptions) => {
        spans.push([name, parent]);
        return { traceparent: `span ${spans.length}`, end: () => undefined } as ReturnType<Tracing['startSpan']>;
      },
    };
    const { service } = setUp(SETTLEMENT, tracing);
    const attempts = [{ channel: 'a', startedAtMs: 1, endedAtMs: 2 }];
    await service.settle(ticketOf({ traceparent: 'edge' }), reportOf({ attempts }));
    expect(spans).toEqual([
      ['run chat', 'edge'],
      ['chat m', 'span 1'],
    ]);
  });
});

describe('ReportUsage.costOf', () => {
  it('prices a usage without settling it', () => {
    const { service, events } = setUp();
    const usage = usageOf({ output_token: 1_000 });
    expect([service.costOf(ticketOf(), usage), service.costOf(ticketOf({ isTest: true }), usage)]).toEqual([
      2_000_000n,
      0n,
    ]);
    expect(events).toEqual([]);
  });
});
