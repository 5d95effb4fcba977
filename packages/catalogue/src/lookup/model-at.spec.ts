import { describe, expect, it } from '@jest/globals';
import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';
import { RETIRED_NAMES } from '../families/retired-names.js';
import { findModel } from './find-model.js';
import { modelAt, modelOfPrice, modelsAt } from './model-at.js';
import { modelEntry } from './model-entry.js';
import { priceAt } from './price-at.js';
import { goneModel, retirementNotice, upcomingRetirements } from './retirement-notice.js';
import { upstreamNameOf } from './upstream-name-of.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const at = (day: string): number => Date.parse(day);
const models: readonly CatalogueModel[] = MODELS;
const retiring = models.filter(({ retirement }) => retirement !== undefined);

function served(name: string, day: string): CatalogueModel {
  const model = modelAt(name, at(day));
  if (model === undefined) throw new Error(`${name} is not served on ${day}`);
  return model;
}

describe('modelAt', () => {
  it('returns the own entry until the day of the retirement', () => {
    expect(modelAt('gm-2.5-pro', at('2026-12-01') - 1)).toBe(findModel('gm-2.5-pro'));
    expect(modelAt('cl-opus-4-7', at('2036-01-01'))).toBe(findModel('cl-opus-4-7'));
  });

  it('then has everything of the successor but what clients know the model by', () => {
    const successor = served('gm-3.8-flash', '2026-12-01');
    expect(served('gemini-2.5-pro', '2026-12-01')).toEqual({
      ...successor,
      id: 'gm-2.5-pro',
      aliases: ['gemini-2.5-pro'],
      released: '2025-06-17',
      retirement: expect.objectContaining({ on: '2026-12-01' }),
      servedBy: 'gm-3.8-flash',
    });
  });

  it('lets several ids have one successor, each with the capabilities of its own', () => {
    for (const id of ['gp-image-1', 'gp-image-1.5', 'de-2']) {
      expect(served(id, '2026-12-01').upstreamModel).toBe('gpt-image-2');
    }
    expect(served('de-2', '2026-12-01').imageGeneration).toBeUndefined();
    expect(served('de-2', '2026-12-01').imageEdits?.traits).toMatchObject({
      sizes: expect.arrayContaining(['256x256']),
    });
  });

  it('keeps the length of vectors that clients have stored', () => {
    const model = served('text-embedding-004', '2026-10-15');
    expect(model.upstreamModel).toBe('gemini-embedding-001');
    expect(model.embeddings?.traits.defaultDimensions).toBe(768);
  });

  it('returns one object for one answer, because prices and headers are cached by identity', () => {
    expect(served('gm-2.5-pro', '2026-12-05')).toBe(served('gemini-2.5-pro', '2027-05-05'));
    expect(modelsAt(at('2026-12-05'))).toBe(modelsAt(at('2026-12-06')));
  });

  it('refuses a moment that is no number', () => {
    expect(() => modelAt('cl-opus-4-7', Number.NaN)).toThrow(RangeError);
  });
});

describe('the price of a retired model', () => {
  it("changes to the successor's on the day itself, and follows its later prices", () => {
    const outputAt = (day: string) => priceAt(served('gm-2.5-pro', day), at(day));
    expect(outputAt('2026-11-30')).toMatchObject({
      version: 'gm-2.5-pro@2025-06-17',
      perMillion: { output_token: '10' },
    });
    expect(outputAt('2026-12-01')).toMatchObject({
      version: 'gm-3.8-flash@2026-09-02',
      perMillion: { output_token: '3.75' },
    });
    expect(outputAt('2027-01-01')).toMatchObject({
      version: 'gm-3.8-flash@2027-01-01',
      perMillion: { output_token: '7.50' },
    });
  });

  it('names the model that serves, so that a worker with another clock uses the same one', () => {
    const model = served('gm-2.5-pro', '2026-12-01');
    expect(modelOfPrice('gm-2.5-pro', 'gm-3.8-flash@2026-09-02+7')).toBe(model);
    expect(modelOfPrice('gm-2.5-pro', 'gm-2.5-pro@2025-06-17')).toBe(findModel('gm-2.5-pro'));
    expect(modelOfPrice('gm-2.5-pro', 'no-such-model@2026-01-01')).toBeUndefined();
  });

  it('ignores an override of the retired id, and uses one of the successor', () => {
    const override = (model: string) => ({ id: '7', model, fromMs: 0, perMillion: { output_token: '1' } });
    const price = (model: string) => priceAt(served('gm-2.5-pro', '2026-12-01'), at('2026-12-01'), [override(model)]);
    expect(price('gm-2.5-pro')?.perMillion.output_token).toBe('3.75');
    expect(price('gm-3.8-flash')?.perMillion.output_token).toBe('1');
  });
});

describe('every retirement', () => {
  it.each(retiring.map((model) => [model.id, model] as const))('%s states a day and a source', (_id, model) => {
    expect(model.retirement?.on).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(model.retirement?.source).toMatch(/read \d{4}-\d\d-\d\d|entry of \d{4}-\d\d-\d\d/);
    expect(model.retirement?.successor ?? model.retirement?.nearest).toBeDefined();
  });

  it.each(retiring.filter(({ retirement }) => retirement?.successor).map((model) => [model.id, model] as const))(
    '%s has a successor that serves the same requests',
    (id, model) => {
      const then = served(id, model.retirement?.on ?? '');
      expect(then.vendor).toBe(model.vendor);
      expect(then.dialect).toBe(model.dialect);
      expect(then.chat?.variant).toBe(model.chat?.variant);
      expect(then.imageGeneration?.protocol).toBe(model.imageGeneration?.protocol);
      expect(then.video?.traits.bodyFormat).toBe(model.video?.traits.bodyFormat);
      expect(priceAt(then, at(model.retirement?.on ?? ''))).toBeDefined();
      for (const limit of ['contextTokens', 'maxOutputTokens'] as const)
        expect(then.limits[limit] ?? 0).toBeGreaterThanOrEqual(model.limits[limit] ?? 0);
      expect(Object.keys(then.chat?.traits.efforts ?? {})).toEqual(
        expect.arrayContaining(Object.keys(model.chat?.traits.efforts ?? {})),
      );
      for (const kind of model.chat?.traits.inputs ?? []) expect(then.chat?.traits.inputs).toContain(kind);
    },
  );

  it('frees no name for another model', () => {
    for (const { names, nearest } of RETIRED_NAMES) {
      expect(findModel(nearest)?.id).toBe(nearest);
      for (const name of names) expect(findModel(name)).toBeUndefined();
    }
  });
});

describe('retirementNotice', () => {
  const model = findModel('gp-5-pro') as CatalogueModel;
  const retiresAtMs = at('2026-12-11');

  it('begins 30 days before and names the successor', () => {
    expect(retirementNotice(model, retiresAtMs - 30 * DAY_MS - 1)).toBeUndefined();
    expect(retirementNotice(model, retiresAtMs - 30 * DAY_MS)).toEqual({
      warnedFromMs: retiresAtMs - 30 * DAY_MS,
      retiresAtMs,
      replacement: 'gp-5.4-pro',
    });
    expect(retirementNotice(findModel('cl-opus-4-7') as CatalogueModel, retiresAtMs)).toBeUndefined();
  });
});

describe('upcomingRetirements', () => {
  const daysLeft = (day: string) =>
    upcomingRetirements(at(day)).map(({ model, replacement, leftMs }) => [model.id, replacement, leftMs / DAY_MS]);

  it('lists the models that will end, and none that a successor serves already', () => {
    expect(daysLeft('2026-12-01')).toEqual([['gp-5-pro', 'gp-5.4-pro', 10]]);
    expect(daysLeft('2026-11-22')).toEqual(expect.arrayContaining([['gm-2.5-pro', 'gm-3.8-flash', 9]]));
  });
});

describe('goneModel', () => {
  it('names what to use instead of a retired name', () => {
    expect(goneModel('dall-e-3', at('2026-11-22'))).toEqual({
      names: ['de-3', 'dall-e-3'],
      on: '2026-05-12',
      nearest: 'gp-image-2',
    });
    expect(goneModel('gp-5-pro', at('2026-12-10'))).toBeUndefined();
    expect(goneModel('gp-5-pro', at('2026-12-11'))).toEqual({ on: '2026-12-11', nearest: 'gp-5.4-pro' });
    expect(goneModel('no-such-model', at('2026-11-22'))).toBeUndefined();
  });
});

describe('the entry of a retired model', () => {
  it('shows the day, the successor, and from that day on who serves it at which price', () => {
    const entry = (day: string) => modelEntry(served('gm-2.5-flash', day), at(day));
    expect(entry('2026-11-22')).toMatchObject({
      shutdown_date: '2026-12-01',
      successor: 'gm-3.5-flash-lite',
      pricing: { version: 'gm-2.5-flash@2025-06-17' },
    });
    expect(entry('2026-11-22')?.served_by).toBeUndefined();
    expect(entry('2026-12-01')).toMatchObject({
      id: 'gm-2.5-flash',
      served_by: 'gm-3.5-flash-lite',
      upstream_model: 'gemini-3.5-flash-lite',
      pricing: { version: 'gm-3.5-flash-lite@2026-07-21' },
    });
    expect(modelEntry(served('cl-opus-4-7', '2026-12-01'), at('2026-12-01'))).toMatchObject({
      shutdown_date: null,
      successor: null,
    });
  });
});

describe('upstreamNameOf', () => {
  const model = { id: 'gm-2.5-pro', servedBy: 'gm-3.8-flash', upstreamModel: 'gemini-3.8-flash' };

  it("prefers the operator's name for the requested id, then for the model that serves it", () => {
    expect(upstreamNameOf(model, {})).toBe('gemini-3.8-flash');
    expect(upstreamNameOf(model, { 'gm-3.8-flash': 'one' })).toBe('one');
    expect(upstreamNameOf(model, { 'gm-3.8-flash': 'one', 'gm-2.5-pro': 'two' })).toBe('two');
    expect(upstreamNameOf({ id: 'm', upstreamModel: 'u' }, {})).toBe('u');
  });
});
