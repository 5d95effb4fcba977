import { describe, expect, it } from '@jest/globals';
import { MODELS } from '../families/all-families.js';
import { findModel } from './find-model.js';
import { modelCapabilities } from './model-capabilities.js';

const capabilitiesOf = (id: string) => {
  const model = findModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return modelCapabilities(model);
};

describe('what a model can do', () => {
  it('names at least one kind for every model', () => {
    const silent = MODELS.filter((model) => Object.keys(modelCapabilities(model)).length === 0);
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('says what a chat takes', () => {
    expect(capabilitiesOf('gm-2.5-flash').chat).toEqual({
      inputs: ['image', 'audio', 'video', 'file'],
      efforts: ['none', 'minimal', 'low', 'medium', 'high'],
      thinking: 'budget',
      temperature_max: 2,
      streams: true,
    });
    expect(capabilitiesOf('gp-5.4-pro').chat).toMatchObject({ streams: false });
  });

  it.each([
    ['gp-image-2', ['1024x1024', '1536x1024', '1024x1536'], ['low', 'medium', 'high'], true],
    ['qn-image-2.0', expect.arrayContaining(['1664x928']), [], true],
    ['qn-image-edit', [], [], false],
    ['gm-2.5-flash-image', ['1024x1024', '1152x768', '768x1152'], [], true],
    ['grok-imagine-image-2.0', expect.arrayContaining(['1536x1536', '2048x2048']), ['low', 'medium'], true],
    ['seedream-4.5', expect.arrayContaining(['4096x4096']), [], true],
  ])('offers sizes and qualities of %s in one form', (id, sizes, qualities, from_text) => {
    expect(capabilitiesOf(id).images).toEqual({ sizes, qualities, max_images: 10, from_text });
  });

  it('knows which edits take a mask', () => {
    expect(capabilitiesOf('gp-image-2').edits).toMatchObject({ mask: true, max_references: 16 });
    expect(capabilitiesOf('seedream-4.5').edits).toMatchObject({ mask: false, max_references: 14 });
    expect(capabilitiesOf('de-2')).toMatchObject({ edits: { qualities: [] } });
    expect(capabilitiesOf('de-2').images).toBeUndefined();
  });

  it('gives ranges, lists and defaults', () => {
    expect(capabilitiesOf('gm-embedding-001').embeddings).toEqual({
      default_dimensions: 3_072,
      dimensions: { min: 128, max: 3_072 },
    });
    expect(capabilitiesOf('vg-4').embeddings?.dimensions).toEqual([256, 512, 1_024, 2_048]);
    expect(capabilitiesOf('vg-rerank-2.5').rerank).toEqual({ max_documents: 1_000 });
    expect(capabilitiesOf('qn3-tts-instruct-flash').speech).toMatchObject({ formats: ['wav'], instructions: true });
    expect(capabilitiesOf('wn2.7-t2v').video).toEqual({ input: 't2v', body: 'wan-2.7' });
  });
});
