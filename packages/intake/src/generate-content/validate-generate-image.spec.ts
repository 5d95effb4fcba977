import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const modelOf = (id: string) => {
  const model = findModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
};
const contents = [{ parts: [{ text: 'A boat' }] }];
const validate = (id: string, config: object = {}, others: object = {}) =>
  JSON_ENDPOINTS['models.generate_content'].validate({ contents, generationConfig: config, ...others }, modelOf(id));

describe('an image model on generateContent', () => {
  it('holds what its images endpoint holds', () => {
    const id = 'gm-3.1-flash-image-preview';
    const interaction = {
      model: id,
      input: [{ type: 'text', text: 'A boat' }],
      response_format: { type: 'image', image_size: '4K' },
    };
    const own = JSON_ENDPOINTS['images.generations'].validate(interaction, modelOf(id));
    const native = validate(id, { imageConfig: { imageSize: '4K' } });
    expect(native.worstCase).toEqual(own.worstCase);
    expect(native).toMatchObject({ isStream: false, abortContract: 'completes' });
  });

  it.each([
    ['imageSize', { imageConfig: { imageSize: '4K' } }],
    ['imageSize', { imageConfig: { imageSize: '3K' } }],
    ['aspectRatio', { imageConfig: { aspectRatio: '1:8' } }],
    ['thinkingLevel', { thinkingConfig: { thinkingLevel: 'HIGH' } }],
    ['candidateCount', { candidateCount: 2 }],
    ['temperature', { temperature: 3 }],
  ])('refuses %s in the words of the client', (name, config) => {
    const param = expect.stringMatching(new RegExp(`^generationConfig\\..*${name}$|^generationConfig.${name}$`));
    expect(() => validate('gm-2.5-flash-image', config)).toThrow(expect.objectContaining({ details: { param } }));
  });

  it('names the contents for an image that is none', () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: '!' } }];
    expect(() => validate('gm-2.5-flash-image', {}, { contents: [{ parts }] })).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^'contents': expected base64/),
        details: { param: 'contents' },
      }),
    );
  });

  it('reports what interactions lack', () => {
    const { changes } = validate('gm-2.5-flash-image', { topK: 3 }, { safetySettings: [{}] });
    expect(changes).toEqual({ filled: {}, dropped: ['generationConfig.topK', 'safetySettings'] });
  });

  it('streams its whole answer, and says so', () => {
    const { isStream, changes } = JSON_ENDPOINTS['models.stream_generate_content'].validate(
      { contents },
      modelOf('gm-2.5-flash-image'),
    );
    expect({ isStream, changes }).toEqual({ isStream: true, changes: { filled: { stream: 'false' }, dropped: [] } });
  });
});
