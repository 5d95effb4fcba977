import { readFileSync, writeFileSync } from 'node:fs';
import type { ChatProtocolId, ImageProtocolId, Unit } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  type CatalogueModel,
  findModel,
  MODELS,
  modelAt,
  modelEntry,
  modelsAt,
  priceAt,
  usageCost,
  withCapability,
} from './index.js';
import { renderCatalogue } from './lookup/render-catalogue.js';

const GOLDEN = new URL('../golden/catalogue.txt', import.meta.url);
/** The units that each chat protocol can report. */
const UNITS_OF_CHAT = {
  'openai-chat': ['input_token', 'cached_input_token', 'cache_write_token', 'output_token'],
  'openai-responses': ['input_token', 'cached_input_token', 'cache_write_token', 'output_token'],
  'anthropic-messages': [
    'input_token',
    'cached_input_token',
    'cache_write_token',
    'cache_write_1h_token',
    'output_token',
  ],
  'gemini-generate': ['input_token', 'input_audio_token', 'cached_input_token', 'output_token'],
  'dashscope-chat': ['input_token', 'cached_input_token', 'cache_write_token', 'output_token'],
} as const satisfies Record<ChatProtocolId, readonly Unit[]>;

/** The units that every model of an image protocol is billed in. */
const UNITS_OF_IMAGES = {
  'dashscope-image': ['image'],
  'gemini-interactions': [
    'input_token',
    'input_image_token',
    'cached_input_token',
    'output_token',
    'output_image_token',
  ],
  'openai-images': ['input_token', 'input_image_token', 'output_token', 'output_image_token'],
  'ark-images': ['image'],
  'xai-images': [],
} as const satisfies Record<ImageProtocolId, readonly Unit[]>;

const NOW = Date.parse('2026-10-15');

function price(id: string) {
  const model = modelAt(id, NOW);
  const found = model && priceAt(model, NOW);
  if (found === undefined) throw new Error(`${id} has no price`);
  return found;
}

describe('the catalogue', () => {
  it('equals its golden file (regenerate with UPDATE_GOLDEN=1 and review the diff)', () => {
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(GOLDEN, renderCatalogue());
    expect(renderCatalogue()).toBe(readFileSync(GOLDEN, 'utf8'));
  });

  it('finds every chat model of the interface by public id and by alias', () => {
    for (const id of ['cl-opus-4-7', 'cl-sonnet-4-6', 'gm-2.5-pro', 'gm-2.5-flash', 'gp-5.4-pro', 'gp-5-pro']) {
      expect(findModel(id)?.id).toBe(id);
    }
    expect(findModel('claude-opus-4-7')?.id).toBe('cl-opus-4-7');
    expect(findModel('no-such-model')).toBeUndefined();
  });

  it('has the capability of each endpoint of a model', () => {
    for (const model of MODELS) {
      if (model.endpoints.some((endpoint) => endpoint === 'chat.completions' || endpoint === 'messages'))
        expect(withCapability(model, 'chat')).toBe(model);
      if (model.endpoints.includes('embeddings')) expect(withCapability(model, 'embeddings')).toBe(model);
      if (model.endpoints.includes('audio.speech')) expect(withCapability(model, 'speech')).toBe(model);
    }
    const [model] = MODELS;
    if (model === undefined) throw new Error('the catalogue is empty');
    const { chat: _, ...without } = model;
    expect(() => withCapability(without, 'chat')).toThrow(model.id);
  });

  it('prices every unit that an image edit can use', () => {
    const editors = modelsAt(NOW).filter(({ endpoints }) => endpoints.includes('images.edits'));
    const ownForm = editors.filter(({ imageEdits }) => imageEdits?.protocol === 'openai-image-edits');
    expect(ownForm.map(({ id }) => id).sort()).toEqual(['de-2', 'gp-image-1', 'gp-image-1.5', 'gp-image-2']);
    for (const model of editors) {
      const { imageEdits } = withCapability(model, 'imageEdits');
      if (imageEdits.protocol === 'own-images') {
        expect(model.imageGeneration).toBeDefined();
        continue;
      }
      const { billing, sizes } = imageEdits.traits;
      const units =
        billing.by === 'tokens' ? UNITS_OF_IMAGES['openai-images'] : sizes.map((size) => billing.unitOfSize[size]);
      expect(Object.keys(price(model.id).perMillion)).toEqual(expect.arrayContaining([...units]));
    }
  });

  it('has every image model of the interface and prices every unit that it can use', () => {
    const ids = MODELS.filter(({ imageGeneration }) => imageGeneration !== undefined).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...[
          'qn-image-2.0',
          'qn-image-2.0-pro',
          'qn-image-max',
          'qn-image-edit',
          'qn-image-edit-plus',
          'qn-image-edit-max',
        ],
        ...['gm-3.1-flash-image-preview', 'gm-3-pro-image-preview', 'gm-2.5-flash-image', 'gm-2.5-flash-image-preview'],
        ...['gp-image-2', 'gp-image-1.5', 'gp-image-1', 'seedream-4.5', 'grok-imagine-image'],
      ]),
    );
    for (const model of MODELS) {
      if (!model.endpoints.includes('images.generations')) continue;
      const { protocol } = withCapability(model, 'imageGeneration').imageGeneration;
      const units = Object.keys(price(model.id).perMillion);
      expect(units).toEqual(expect.arrayContaining([...UNITS_OF_IMAGES[protocol]]));
      expect(units.length).toBeGreaterThan(0);
    }
  });

  it('prices every unit that a chat response can use', () => {
    for (const model of modelsAt(NOW)) {
      expect(modelEntry(model, NOW)?.pricing.version).toBe(price(model.id).version);
      if (model.chat === undefined) continue;
      const { perMillion, longPrompt } = price(model.id);
      for (const prices of [perMillion, ...(longPrompt ? [longPrompt.perMillion] : [])]) {
        expect(Object.keys(prices)).toEqual(expect.arrayContaining([...UNITS_OF_CHAT[model.chat.protocol]]));
      }
    }
  });

  it('has every embedding model of the interface, with an accepted default length', () => {
    const ids = ['text-embedding-v4', 'text-embedding-004', 'gm-embedding-001', 'gm-embedding-2-preview'];
    for (const id of [...ids, 'vg-4-large', 'vg-4', 'vg-4-lite']) {
      const model = findModel(id);
      if (model === undefined) throw new Error(id);
      const { dimensions, defaultDimensions } = withCapability(model, 'embeddings').embeddings.traits;
      if ('least' in dimensions) {
        expect(defaultDimensions).toBeGreaterThanOrEqual(dimensions.least);
        expect(defaultDimensions).toBeLessThanOrEqual(dimensions.most);
      } else expect(dimensions).toContain(defaultDimensions);
      expect(Object.keys(price(id).perMillion)).toEqual(['input_token']);
    }
  });

  it('has every speech model of the interface, priced by the character', () => {
    for (const id of ['qn3-tts-flash', 'qn3-tts-instruct-flash']) {
      expect(findModel(id)?.endpoints).toEqual(['audio.speech']);
      expect(Object.keys(price(id).perMillion)).toEqual(['character']);
    }
    // The published price of 10,000 characters.
    expect(usageCost({ units: { character: 10_000 }, inputTokensTotal: 0 }, price('qn3-tts-flash'))).toBe(100_000_000n);
  });

  it('has every video model of the interface, and models of the families that it names without ids', () => {
    const ids = MODELS.filter(({ endpoints }) => endpoints.includes('videos.generations')).map(({ id }) => id);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...['wn2.5-t2v-preview', 'wn2.6-t2v', 'wn2.7-t2v', 'wn2.7-t2v-2026-04-25'],
        ...['wn2.5-i2v-preview', 'wn2.6-i2v', 'wn2.6-i2v-flash', 'wn2.7-i2v', 'wn2.7-i2v-2026-04-25'],
        ...['wn2.6-r2v', 'wn2.6-r2v-flash', 'wn2.7-r2v', 'wn3.0-video', 'happyhorse-1.1-r2v'],
        ...['seedance-2.0', 'grok-imagine-video'],
      ]),
    );
    for (const id of ids) {
      const { traits } = withCapability(findModel(id) as CatalogueModel, 'video').video;
      const units = traits.resolutions.map((resolution) => `second_${resolution}`);
      expect(Object.keys(price(id).perMillion)).toEqual(expect.arrayContaining(units));
      // The defaults of a request: five seconds of 720p.
      expect(traits.resolutions).toContain('720p');
      expect('least' in traits.durations ? traits.durations.least : 0).toBeLessThanOrEqual(5);
    }
    expect(findModel('wan2.7-t2v')?.id).toBe('wn2.7-t2v');
    expect(findModel('doubao-seedance-2-0-260128')?.id).toBe('seedance-2.0');
  });

  it('offers 480p only for previews of Wan 2, and 1080p of 2.7 only for dated releases', () => {
    const with480p = MODELS.filter(({ id, video }) => /^wn2/.test(id) && video?.traits.resolutions.includes('480p'));
    expect(with480p.map(({ id }) => id)).toEqual(['wn2.5-t2v-preview', 'wn2.5-i2v-preview']);
    const with1080p = MODELS.filter(
      ({ id, video }) => /^wn2\.7/.test(id) && video?.traits.resolutions.includes('1080p'),
    );
    expect(with1080p.map(({ id }) => id)).toEqual(['wn2.7-t2v-2026-04-25', 'wn2.7-i2v-2026-04-25']);
  });

  it('prices a second of Seedance by its tokens: 21,600 for 1280x720 at 24 frames a second', () => {
    expect(usageCost({ units: { second_720p: 5 }, inputTokensTotal: 0 }, price('seedance-2.0'))).toBe(
      (BigInt(5 * 21_600) * 7_000_000_000n) / 1_000_000n,
    );
    expect(usageCost({ units: { second_720p: 5 }, inputTokensTotal: 0 }, price('wn2.7-t2v'))).toBe(500_000_000n);
  });

  it('has no price before the first dated one', () => {
    const model = MODELS[0];
    expect(model && priceAt(model, Date.parse('2020-01-01'))).toBeUndefined();
    expect(model && modelEntry(model, Date.parse('2020-01-01'))).toBeUndefined();
  });

  it('charges the long-prompt price only above its limit, for the whole prompt', () => {
    const units = { input_token: 272_000, output_token: 10 };
    expect(usageCost({ units, inputTokensTotal: 272_000 }, price('gp-5.4-pro'))).toBe(8_161_800_000n);
    expect(
      usageCost({ units: { input_token: 272_001, output_token: 10 }, inputTokensTotal: 272_001 }, price('gp-5.4-pro')),
    ).toBe(16_322_760_000n);
  });

  it('throws for a unit without a price', () => {
    expect(() => usageCost({ units: { second: 5 }, inputTokensTotal: 0 }, price('cl-opus-4-7'))).toThrow(RangeError);
  });
});
