import { describe, expect, it } from '@jest/globals';
import { QueueCensus } from './queue-census.js';

const gaugeOf = () => {
  const values = new Map<string, number>([['gone', 9]]);
  return {
    values,
    reset: () => values.clear(),
    set: ({ kind, vendor }: { kind: string; vendor: string }, value: number) =>
      void values.set(`${kind} ${vendor}`, value),
  };
};

describe('the census of queues', () => {
  it('looks once for all gauges of a scrape', async () => {
    let looks = 0;
    const counts = async () => {
      looks += 1;
      return { waiting: 3, active: 2, oldestWaitMs: 1_500 };
    };
    const census = new QueueCensus({ sync: new Map([['openai', { counts }]]), video: new Map() });
    const [waiting, active] = [gaugeOf(), gaugeOf()];
    await Promise.all([census.fill(waiting, (seen) => seen.waiting), census.fill(active, (seen) => seen.active)]);
    expect([...waiting.values]).toEqual([['sync openai', 3]]);
    expect([...active.values]).toEqual([['sync openai', 2]]);
    expect(looks).toBe(1);
  });

  it('says nothing while Redis is away, not what was true before', async () => {
    const census = new QueueCensus({
      sync: new Map(),
      video: new Map([['ark', { counts: () => Promise.reject(new Error('away')) }]]),
    });
    const gauge = gaugeOf();
    await census.fill(gauge, ({ waiting }) => waiting);
    expect(gauge.values.size).toBe(0);
  });
});
