import { describe, expect, it } from '@jest/globals';
import { QueueCounter } from './queue-counter.js';

const gaugeOf = () => {
  const values = new Map<string, number>([['gone', 9]]);
  return {
    values,
    reset: () => values.clear(),
    set: ({ kind, vendor }: { kind: string; vendor: string }, value: number) =>
      void values.set(`${kind} ${vendor}`, value),
  };
};

const NONE = { sync: new Map(), video: new Map(), 'sync-test': new Map(), 'video-test': new Map() };

describe('QueueCounter', () => {
  it('counts once for all gauges of a scrape', async () => {
    let countCalls = 0;
    const counts = async () => {
      countCalls += 1;
      return { waiting: 3, active: 2, oldestWaitMs: 1_500 };
    };
    const counter = new QueueCounter({ ...NONE, sync: new Map([['openai', { counts }]]) });
    const [waiting, active] = [gaugeOf(), gaugeOf()];
    await Promise.all([counter.fill(waiting, (seen) => seen.waiting), counter.fill(active, (seen) => seen.active)]);
    expect([...waiting.values]).toEqual([['sync openai', 3]]);
    expect([...active.values]).toEqual([['sync openai', 2]]);
    expect(countCalls).toBe(1);
  });

  it('reports no value while Redis is away, rather than an old one', async () => {
    const counter = new QueueCounter({
      ...NONE,
      video: new Map([['ark', { counts: () => Promise.reject(new Error('away')) }]]),
    });
    const gauge = gaugeOf();
    await counter.fill(gauge, ({ waiting }) => waiting);
    expect(gauge.values.size).toBe(0);
  });
});
