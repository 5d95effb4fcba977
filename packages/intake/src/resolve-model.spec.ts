import { VENDORS } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { resolveModel } from './resolve-model.js';

const ANY = { models: null, endpoints: null };
const vendors = new Set<string>(VENDORS);
const resolve = (name: unknown, day: string, key: Parameters<typeof resolveModel>[2] = ANY) =>
  resolveModel(name, 'chat.completions', key, vendors, Date.parse(day));

describe('resolveModel', () => {
  it('returns what serves the model on that day, by id and by alias', () => {
    expect(resolve('gm-2.5-pro', '2026-11-30').upstreamModel).toBe('gemini-2.5-pro');
    expect(resolve('gemini-2.5-pro', '2026-12-01')).toMatchObject({
      id: 'gm-2.5-pro',
      upstreamModel: 'gemini-3.8-flash',
      servedBy: 'gm-3.8-flash',
    });
  });

  it('still admits a key that may use only the retired id, and no other id of its successor', () => {
    const key = { models: ['gm-2.5-pro'], endpoints: null };
    expect(resolve('gm-2.5-pro', '2026-12-01', key).id).toBe('gm-2.5-pro');
    expect(() => resolve('gm-3.8-flash', '2026-12-01', key)).toThrow(/may not use/);
  });

  it.each([
    ['gpt-4', "The model 'gpt-4' was shut down by its vendor on 2026-10-23. Use 'gp-5.4-mini'."],
    ['no-such', "The model 'no-such' does not exist or you do not have access to it."],
  ])('says why %s is not served', (name, message) => {
    expect(() => resolve(name, '2026-12-01')).toThrow(message);
  });

  it('names the field and an example if there is no model', () => {
    for (const name of [undefined, '', 5]) expect(() => resolve(name, '2026-12-01')).toThrow(/'model': expected/);
  });
});
