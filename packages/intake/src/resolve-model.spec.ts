import { VENDORS } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { type KeyAccess, resolveModel, standInChanges } from './resolve-model.js';

const ANY = { models: null, endpoints: null };
const vendors = new Set<string>(VENDORS);
const SCOPE = { access: ANY, vendors, atMs: Date.parse('2026-11-22') };
const resolve = (name: unknown, day: string, access: KeyAccess = ANY) =>
  resolveModel(name, 'chat.completions', { access, vendors, atMs: Date.parse(day) });

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
    ['gpt-4.1-nano', "The model 'gpt-4.1-nano' was shut down by its vendor on 2026-10-23. Use 'gp-5.4-mini'."],
    [
      'zzz',
      "The model 'zzz' does not exist or you do not have access to it. GET /v1/models lists the models, such as 'cl-opus-4-7' for /v1/chat/completions.",
    ],
    ['claude-opus-5.5', "does not exist or you do not have access to it. The nearest is 'cl-opus-5-5'."],
    ['gpt-5.4-mini-2', "The nearest is 'gp-5.4-mini'."],
  ])('says why %s is not served', (name, message) => {
    expect(() => resolve(name, '2026-12-01')).toThrow(message);
  });

  it.each([
    ['audio.speech', 'tts-1', 'qn3-tts-flash'],
    ['videos.generations', 'sora-2', 'wn2.6-t2v'],
  ] as const)('names a model of %s where none has a name like %s', (endpoint, name, served) => {
    expect(() => resolveModel(name, endpoint, SCOPE)).toThrow(`such as '${served}' for /v1/`);
    const access = { models: ['gp-5.4-mini'], endpoints: null };
    expect(() => resolveModel(name, endpoint, { ...SCOPE, access })).toThrow('GET /v1/models lists the models.');
  });

  it('does not say that a model has ended whose vendor is only not connected here', () => {
    const withoutGoogle = () =>
      resolveModel('gm-2.5-flash', 'chat.completions', { ...SCOPE, vendors: new Set(['openai']) });
    expect(withoutGoogle).toThrow(/does not exist or you do not have access to it/);
  });

  it('serves a name that clients have built in, as the model that serves it, and reports it', () => {
    const model = resolve('claude-3-5-haiku-20241022', '2026-11-22');
    expect(model.id).toBe('cl-haiku-4-5');
    expect(standInChanges('claude-3-5-haiku-20241022', model)).toEqual({
      filled: { model: 'cl-haiku-4-5' },
      dropped: [],
    });
    for (const own of ['cl-haiku-4-5', 'claude-haiku-4-5']) expect(standInChanges(own, model)).toBeUndefined();
  });

  it("holds a key's list for what really serves", () => {
    const resolveFor = (models: string[]) => resolve('claude-sonnet-5', '2026-11-22', { models, endpoints: null });
    expect(resolveFor(['cl-sonnet-5-5']).id).toBe('cl-sonnet-5-5');
    expect(() => resolveFor(['cl-sonnet-4-6'])).toThrow(/'cl-sonnet-5-5' serves that name/);
  });

  it('never names a model that the key may not use', () => {
    const key = { models: ['gm-2.5-flash'], endpoints: null };
    expect(() => resolve('claude-opus-5.5', '2026-11-22', key)).toThrow(/GET \/v1\/models/);
  });

  it('names the path of the client, where another endpoint decides which models serve it', () => {
    const transcribe = (name: string, endpoints: KeyAccess['endpoints'] = null) =>
      resolveModel(name, 'audio.transcriptions', { ...SCOPE, access: { models: null, endpoints } });
    expect(() => transcribe('gp-image-2')).toThrow(/is not served on \/v1\/audio\/transcriptions\. Use it on \//);
    expect(() => transcribe('gm-2.5-flash', ['embeddings'])).toThrow(/may not use .* on \/v1\/audio\/transcriptions/);
  });

  it('admits a key that has the right of the endpoint which decides', () => {
    const access = { models: null, endpoints: ['chat.completions' as const] };
    expect(resolveModel('gm-2.5-flash', 'audio.transcriptions', { ...SCOPE, access }).id).toBe('gm-2.5-flash');
    expect(() => resolveModel('gm-2.5-flash', 'messages', { ...SCOPE, access })).toThrow(/may not use/);
  });

  it('names another path of the endpoint, if the client called that', () => {
    const submit = () => resolveModel('gm-2.5-flash', 'videos.generations', SCOPE, '/v1/videos');
    expect(submit).toThrow(/is not served on \/v1\/videos\. /);
  });

  it('names the field and an example if there is no model', () => {
    for (const name of [undefined, '', 5]) expect(() => resolve(name, '2026-12-01')).toThrow(/'model': expected/);
  });
});
