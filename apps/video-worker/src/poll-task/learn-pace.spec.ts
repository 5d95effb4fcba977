import { expect, it } from '@jest/globals';
import { LearnPace } from './learn-pace.service.js';

const config = { pollFastestMs: 1_000, pollSlowestMs: 30_000 };

it('a model is asked for once, however many looks want to know at the same time', async () => {
  const asked: string[] = [];
  const usualDurationMs = async (model: string) => asked.push(model) * 1_000;
  const learning = new LearnPace({ usualDurationMs }, config);
  const paces = await Promise.all(['a', 'a', 'b', 'a'].map((model) => learning.paceOf(model, 500)));
  expect(asked).toEqual(['a', 'b']);
  expect(paces.map(({ usualMs }) => usualMs)).toEqual([1_000, 1_000, 2_000, 1_000]);
});

it('an answer that did not come is asked for again', async () => {
  const answers = [Promise.reject(new Error('Postgres is away')), Promise.resolve(7_000)];
  const learning = new LearnPace({ usualDurationMs: () => answers.shift() as Promise<number> }, config);
  await expect(learning.paceOf('a', 500)).rejects.toThrow('away');
  expect(await learning.paceOf('a', 500)).toMatchObject({ usualMs: 7_000 });
});
