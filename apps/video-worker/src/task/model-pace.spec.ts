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
});
