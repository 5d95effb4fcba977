import { expect, it } from '@jest/globals';
import { stagesOf } from './stages.js';

const at = (ms: number): string => new Date(ms).toISOString();

it('measures each stage from its moment to the next that is known', () => {
  const stages = stagesOf([
    ['admission', at(0)],
    ['queue', null],
    ['worker', at(5)],
    ['', at(9)],
  ]);
  expect(stages).toEqual([
    { name: 'admission', startMs: 0, endMs: 5 },
    { name: 'worker', startMs: 5, endMs: 9 },
  ]);
});

it('has no stage of less than nothing, although the clocks of two machines differ', () => {
  const stages = stagesOf([
    ['worker', at(5)],
    ['vendor', at(4)],
    ['answer', at(8)],
    ['', at(10)],
  ]);
  expect(stages.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [5, 5],
    [5, 8],
    [8, 10],
  ]);
});
