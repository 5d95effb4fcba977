import { describe, expect, it } from '@jest/globals';
import { ModelPace } from './model-pace.service.js';

const config = { pollFastestMs: 1_000, pollSlowestMs: 30_000 };

describe('ModelPace', () => {
  it('queries each model once for concurrent callers', async () => {
    const queried: string[] = [];
    const usualDurationMs = async (model: string) => queried.push(model) * 1_000;
    const pace = new ModelPace({ usualDurationMs }, config);
    const paces = await Promise.all(['a', 'a', 'b', 'a'].map((model) => pace.paceOf(model, 500)));
    expect(queried).toEqual(['a', 'b']);
    expect(paces.map(({ usualMs }) => usualMs)).toEqual([1_000, 1_000, 2_000, 1_000]);
  });

  it('queries again after a failed query', async () => {
    const results = [Promise.reject(new Error('Postgres is away')), Promise.resolve(7_000)];
    const pace = new ModelPace({ usualDurationMs: () => results.shift() as Promise<number> }, config);
    await expect(pace.paceOf('a', 500)).rejects.toThrow('away');
    expect(await pace.paceOf('a', 500)).toMatchObject({ usualMs: 7_000 });
  });
});
