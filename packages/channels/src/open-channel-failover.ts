import type { HttpPools } from '@gateway/http';
import { ChannelCloser } from './channel-closer.js';
import { ChannelFailover } from './channel-failover.js';
import { type ChannelLists, ChannelSelector } from './channel-selector.js';
import type { MetricRegistry } from './metric-registry.js';
import { ModelListProbe } from './model-list-probe.js';

/** Registers the counters and the gauge of channels. Dashboards and alerts rely on the names. */
const channelMetrics = (metrics: MetricRegistry) => ({
  breakerOpen: metrics.gauge('gateway_channel_breaker_open', 'Channels with an open breaker and no success since', [
    'channel',
  ]),
  credentialsRefused: metrics.counter(
    'gateway_channel_credential_refused_total',
    'Cooldowns of a channel, or of one model on it, because the vendor rejected the credential',
    ['channel'],
  ),
  spentAccounts: metrics.counter(
    'gateway_channel_account_spent_total',
    'Rejections because the account of a channel is out of credit or at its spend limit',
    ['channel'],
  ),
  suspicions: metrics.counter(
    'gateway_channel_suspicions_total',
    "Rejections that a client's request may have caused, by what confirmed them; `unconfirmed` closes nothing",
    ['channel', 'outcome'],
  ),
});

/** A worker's channels and their failover, with metrics and logs. Call it once in a process. */
export function openChannelFailover(
  lists: ChannelLists,
  registry: MetricRegistry,
  logger: { error(fields: object, message: string): void },
  http: HttpPools,
): ChannelFailover {
  const metrics = channelMetrics(registry);
  const selector = new ChannelSelector(lists, (channel, isUnhealthy) =>
    metrics.breakerOpen.set({ channel }, isUnhealthy ? 1 : 0),
  );
  // Initialise to 0 so that `increase()` counts the first event.
  for (const { id } of lists.channels) {
    metrics.credentialsRefused.inc({ channel: id }, 0);
    metrics.spentAccounts.inc({ channel: id }, 0);
    metrics.suspicions.inc({ channel: id, outcome: 'unconfirmed' }, 0);
  }
  const closer = new ChannelCloser(new ModelListProbe(http), {
    onRejectedCredential: (rejected) => {
      metrics.credentialsRefused.inc({ channel: rejected.channel });
      logger.error(rejected, 'vendor rejected a credential, channel cools down');
    },
    onSpentAccount: (spent) => {
      metrics.spentAccounts.inc({ channel: spent.channel });
      logger.error(spent, 'vendor account is out of credit');
    },
    onSuspicion: (channel, outcome) => metrics.suspicions.inc({ channel, outcome }),
  });
  return new ChannelFailover(selector, closer);
}
