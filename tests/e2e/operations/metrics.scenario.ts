import { eventually, fullResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expressions, readExpression, rules } from '../../../infra/dashboards/expressions.mjs';
import { DEFAULT_MODEL } from '../text/chat-fields.js';

const stack = await startTestStack();
afterAll(() => stack.stop());
await stack.system.add('batch-worker');
await stack.system.add('mcp-server');

const EXPORTERS = [
  'api-edge',
  'sync-worker',
  'video-worker',
  'billing',
  'accounts',
  'batch-worker',
  'mcp-server',
] as const;

/** Labels that the scrape adds, and metrics of Prometheus itself, of the cluster or of recording rules. */
const SCRAPE_LABELS = ['service', 'instance', 'job'];
const OF_KUBERNETES = ['kube_cronjob_status_last_successful_time', 'kube_cronjob_created'];
const NOT_EXPORTED = new Set(['up', ...OF_KUBERNETES, ...rules().map(({ record }) => record)]);

const customer = await stack.createCustomer({ creditUsd: '1' });
const body = { model: DEFAULT_MODEL, messages: [{ role: 'user', content: 'Hello' }] };

const metricsOf = async (name: string): Promise<string> =>
  (await fullResponse(stack.system.instance(name).url, { method: 'GET', path: '/metrics' })).text;

/** The series of a scrape's line with its labels, from values or from a declaration. */
function seriesOf(line: string): readonly (readonly [name: string, labels: readonly string[]])[] {
  const [, declared, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
  if (declared !== undefined) {
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.map((suffix) => [declared + suffix, []]);
  }
  const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
  return name === undefined ? [] : [[name, [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)]];
}

/** Every series with the labels of its values; without labels while it has no value. */
async function exported(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  const texts = await Promise.all(EXPORTERS.map(metricsOf));
  for (const [name, labels] of texts.join('\n').split('\n').flatMap(seriesOf)) {
    found.set(name, new Set([...(found.get(name) ?? []), ...labels]));
  }
  return found;
}

const queried = expressions().flatMap(({ expr }) => readExpression(expr).selectors);

describe('metrics of dashboards and alerts', () => {
  it('are exported by running services', async () => {
    const response = await fullResponse(stack.baseUrl, { key: customer.apiKey, body });
    expect(response.status).toBe(200);
    expect((await fullResponse(stack.baseUrl, { key: 'sk-unknown', body })).status).toBe(401);
    const found = await exported();
    const missing = queried.map(({ metric }) => metric).filter((name) => !NOT_EXPORTED.has(name) && !found.has(name));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('have the queried labels wherever they have values', async () => {
    const found = await exported();
    const wrong = queried.flatMap(({ metric, matchers }) => {
      const labels = found.get(metric) ?? new Set<string>();
      if (labels.size === 0) return [];
      return matchers
        .filter(({ label }) => !SCRAPE_LABELS.includes(label) && !labels.has(label))
        .map(({ label }) => `${metric} has no ${label}`);
    });
    expect(wrong).toEqual([]);
    // Otherwise the check above would check nothing.
    for (const name of ['gateway_errors_total', 'gateway_answer_seconds_bucket', 'gateway_queue_oldest_wait_seconds']) {
      expect(found.get(name)?.size).toBeGreaterThan(1);
    }
  });
});

describe('counters of alerts', () => {
  it('start at zero, so that the first increment is an increase', async () => {
    const found = await exported();
    const awaited = rules().flatMap(({ expr }) => [...expr.matchAll(/increase\((\w+)/g)].map(([, name = '']) => name));
    expect(awaited.length).toBeGreaterThan(0);
    expect(awaited.filter((name) => (found.get(name)?.size ?? 0) === 0)).toEqual([]);
  });
});

describe('metrics of a running system', () => {
  it('follow a request from the edge to the ledger', async () => {
    const metricValue = async (name: string, line: string): Promise<number> => {
      const [, value] = new RegExp(`^${line} (\\S+)$`, 'm').exec(await metricsOf(name)) ?? [];
      if (value === undefined) throw new Error(`no ${line} in the metrics of ${name}`);
      return Number(value);
    };
    await eventually(async () => {
      expect(await metricValue('billing', 'gateway_settlements_total\\{result="new".*\\}')).toBeGreaterThanOrEqual(1);
    });
    expect(await metricValue('api-edge', 'gateway_errors_total\\{code="invalid_api_key",place="door".*\\}')).toBe(1);
    expect(await metricValue('api-edge', 'gateway_relay_workers\\{.*\\}')).toBe(1);
    expect(await metricValue('sync-worker', 'gateway_worker_tickets_total\\{outcome="completed".*\\}')).toBe(1);
    expect(await metricValue('billing', 'gateway_open_holds\\{.*\\}')).toBe(0);
    expect(await metricValue('billing', 'gateway_settlement_lag_seconds\\{.*\\}')).toBe(0);
  });

  it('are scraped while Redis is down, without queue values', async () => {
    await stack.system.redis.stop();
    await eventually(async () => {
      const text = await metricsOf('api-edge');
      expect(text).toContain('gateway_running_requests{');
      expect(text).not.toMatch(/^gateway_queue_waiting_jobs\{/m);
    });
    const billingMetrics = await metricsOf('billing');
    expect(billingMetrics).not.toMatch(/^gateway_(open_holds|redis_memory_ratio)[ {]/m);
    expect(billingMetrics).toMatch(/^gateway_ready\{check="redis",.*\} 0$/m);
    expect(await metricsOf('sync-worker')).toMatch(/^gateway_ready\{check="redis",.*\} 0$/m);
    await stack.system.redis.start();
    await eventually(async () => {
      expect(await metricsOf('api-edge')).toMatch(/^gateway_queue_waiting_jobs\{/m);
      expect(await metricsOf('billing')).toMatch(/^gateway_ready\{check="redis",.*\} 1$/m);
      expect(await metricsOf('billing')).toMatch(/^gateway_redis_memory_ratio\{store="redis",.*\} [\d.e-]+$/m);
    });
  });
});
