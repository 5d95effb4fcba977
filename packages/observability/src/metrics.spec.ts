import { describe, expect, it, jest } from '@jest/globals';
import { createMetrics, Metrics } from './metrics.js';

describe('createMetrics', () => {
  it('exports counters, histograms and gauges with the service label', async () => {
    const metrics = createMetrics('sync-worker');
    metrics.counter('tickets_total', 'Tickets', ['outcome']).inc({ outcome: 'completed' }, 2);
    metrics.histogram('wait_seconds', 'Wait', []).observe(0.02);
    metrics.gauge('running', 'Running', [], (gauge) => gauge.set(7));
    const text = await metrics.registry.metrics();
    expect(text).toContain('tickets_total{outcome="completed",service="sync-worker"} 2');
    expect(text).toContain('wait_seconds_bucket{le="0.025",service="sync-worker"} 1');
    expect(text).toContain('wait_seconds_bucket{le="0.01",service="sync-worker"} 0');
    expect(text).toContain('running{service="sync-worker"} 7');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('samples how late the event loop is from the first scrape on, also in a process that did nothing before', async () => {
    const metrics = createMetrics('billing');
    const lagOf = async (name: string) => {
      const text = await metrics.registry.metrics();
      return Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1]);
    };
    const workFor = (durationMs: number) => {
      for (const untilMs = performance.now() + durationMs; performance.now() < untilMs; );
    };
    await lagOf('max');
    await new Promise((resolve) => setTimeout(resolve, 250));
    workFor(400);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await lagOf('max')).toBeGreaterThan(0.25);
  });

  it('exports the memory limits beside the used memory', async () => {
    const text = await createMetrics('billing').registry.metrics();
    const value = (name: string) => Number(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1]);
    expect(value('gateway_memory_limit_bytes')).toBeGreaterThan(value('process_resident_memory_bytes'));
    expect(value('gateway_heap_limit_bytes')).toBeGreaterThan(value('nodejs_heap_size_used_bytes'));
  });

  it('exports its clock, which Prometheus compares with its own', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_700_000_000_500);
    const text = await createMetrics('billing').registry.metrics();
    clock.mockRestore();
    expect(text).toMatch(/^gateway_clock_timestamp_seconds\{service="billing"\} 1700000000.5$/m);
  });

  it('sets a gauge at each scrape', async () => {
    const metrics = createMetrics('billing');
    let value = 0;
    metrics.gauge('drift', 'Drift', [], async (gauge) => {
      value += 1;
      gauge.set(value);
    });
    await metrics.registry.metrics();
    expect(await metrics.registry.metrics()).toContain('drift{service="billing"} 2');
  });

  it('exports all other metrics while what a gauge reads is away or does not reply', async () => {
    const metrics = new Metrics('accounts', 1);
    let isAway = false;
    metrics.gauge('refused', 'Refused', [], async (gauge) => {
      if (isAway) throw new Error('connect ECONNREFUSED');
      gauge.set(7);
    });
    metrics.gauge('silent', 'Silent', [], () => (isAway ? new Promise(() => undefined) : undefined));
    metrics.counter('events_total', 'Events', []).inc();
    await metrics.registry.metrics();
    isAway = true;
    const text = await metrics.registry.metrics();
    expect(text).toContain('events_total{service="accounts"} 1');
    expect(text).toContain('refused{service="accounts"} 7');
  });

  it('rejects a label that was not declared', () => {
    const counter = createMetrics('billing').counter('events_total', 'Events', ['kind']);
    expect(() => counter.inc({ requestId: 'req_1' } as never)).toThrow('label');
  });

  it('keeps the metrics of two instances apart', async () => {
    const [one, two] = [createMetrics('one'), createMetrics('two')];
    one.counter('same_total', 'Same', []).inc();
    two.counter('same_total', 'Same', []);
    expect(await two.registry.metrics()).toContain('same_total{service="two"} 0');
  });
});
