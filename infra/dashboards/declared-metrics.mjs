import { openChannelFailover, VendorCosts } from '@gateway/channels';
import { createMetrics, HealthModule } from '@gateway/observability';
import { countBeyondHold } from '@gateway/redis';
import { operatorMetrics } from '../../apps/accounts/src/alerts/operator-metrics.ts';
import { streamMetrics } from '../../apps/accounts/src/http/stream-metrics.ts';
import { mailMetrics } from '../../apps/accounts/src/mail/mail-metrics.ts';
import { edgeGauges } from '../../apps/api-edge/src/observability/gauges.ts';
import { edgeMetrics } from '../../apps/api-edge/src/observability/metrics.ts';
import { fetchGauges, fetchMetrics } from '../../apps/batch-worker/src/keep-files/fetch-metrics.ts';
import { sweepMetrics } from '../../apps/batch-worker/src/keep-files/sweep-metrics.ts';
import { batchGauges, batchMetrics } from '../../apps/batch-worker/src/metrics.ts';
import { billingGauges } from '../../apps/billing/src/observability/billing-gauges.ts';
import { billingMetrics } from '../../apps/billing/src/observability/billing-metrics.ts';
import { mcpMetrics } from '../../apps/mcp-server/src/metrics.ts';
import { keptRequestGauges, workerGauges, workerMetrics } from '../../apps/sync-worker/src/observability/metrics.ts';
import { workerGauges as videoGauges, workerMetrics as videoMetrics } from '../../apps/video-worker/src/metrics.ts';
import { webhookMetrics } from '../../apps/video-worker/src/webhooks/webhook-metrics.ts';
import { measureOperations } from '../../packages/store/src/measure-operations.ts';
import { reportFaults } from '../../packages/threads/src/report-faults.ts';

const countDebt = (metrics) => countBeyondHold(metrics, { onSettled: () => undefined }, []);
const threadFaults = (metrics) => reportFaults(metrics, console);
const CHANNELS = [
  (metrics) => openChannelFailover({ channels: [], testChannels: [] }, metrics, console, {}),
  (metrics) => new VendorCosts(metrics, []),
];

/** The modules that register each service's metrics. Nothing here reads a value. */
const REGISTERED = {
  accounts: [
    streamMetrics,
    (metrics) => mailMetrics(metrics, async () => 0),
    (metrics) => operatorMetrics(metrics, {}),
  ],
  'api-edge': [
    edgeMetrics,
    measureOperations,
    threadFaults,
    (metrics) => edgeGauges(metrics, { queues: {} }),
    countDebt,
  ],
  'sync-worker': [
    workerMetrics,
    measureOperations,
    threadFaults,
    (metrics) => keptRequestGauges(metrics, {}),
    (metrics) => workerGauges(metrics, {}),
    countDebt,
    ...CHANNELS,
  ],
  'video-worker': [videoMetrics, threadFaults, webhookMetrics, (metrics) => videoGauges(metrics, {}), ...CHANNELS],
  'batch-worker': [
    batchMetrics,
    measureOperations,
    fetchMetrics,
    sweepMetrics,
    (metrics) => fetchGauges(metrics, {}),
    (metrics) => batchGauges(metrics, {}),
  ],
  'mcp-server': [mcpMetrics, threadFaults],
  billing: [billingMetrics, (metrics) => billingGauges(metrics, {})],
};

const SERIES = { histogram: ['_bucket', '_sum', '_count'], summary: ['_sum', '_count'] };
/** Labels that the registry and the scrape add to every series. */
const ALWAYS = ['service', 'instance', 'job'];

/** Every exported series with its labels. */
export function declaredMetrics() {
  const declared = new Map();
  for (const [service, registrations] of Object.entries(REGISTERED)) {
    const metrics = createMetrics(service);
    HealthModule.with({ metrics, checks: [] });
    for (const register of registrations) register(metrics);
    for (const { name, type, labelNames } of metrics.registry.getMetricsAsArray()) {
      for (const suffix of SERIES[type] ?? ['']) {
        const labels = [...labelNames, ...ALWAYS, ...(suffix === '_bucket' ? ['le'] : [])];
        declared.set(name + suffix, new Set([...(declared.get(name + suffix) ?? []), ...labels]));
      }
    }
  }
  return declared;
}
