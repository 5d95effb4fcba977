import type { ChannelControl } from '@gateway/contracts';
import type { Metrics } from '@gateway/observability';

/** What the gauges of operators read at each scrape. */
export interface OperatorNumbers {
  readonly controls: () => Promise<readonly ChannelControl[]>;
  /** Nano-USD by model. */
  readonly margins: () => Promise<ReadonlyMap<string, bigint>>;
}

/** What administrators have stopped, and the margin of today and yesterday. */
export function operatorMetrics(metrics: Metrics, read: OperatorNumbers): void {
  const stopped = 'Channels that an administrator has paused or drains: 1';
  metrics.gauge('gateway_channel_stopped', stopped, ['channel', 'state'], async (gauge) => {
    const controls = await read.controls();
    gauge.reset();
    for (const { channelId: channel, state } of controls) if (state !== 'active') gauge.set({ channel, state }, 1);
  });
  const margin = 'Charges less what vendors bill, of requests with a known cost, today and yesterday (UTC)';
  metrics.gauge('gateway_margin_nano_usd', margin, ['model'], async (gauge) => {
    const margins = await read.margins();
    gauge.reset();
    for (const [model, amount] of margins) gauge.set({ model }, Number(amount));
  });
}
