import { expect, it } from '@jest/globals';
import { MODELS } from '../families/all-families.js';
import { findModel } from './find-model.js';
import { nativeImagesOf } from './native-images-of.js';

it('has the images of every model that serves them over Google’s native API, and of no other one', () => {
  const served = MODELS.filter(
    ({ imageGeneration, endpoints }) =>
      imageGeneration !== undefined && (endpoints as readonly string[]).includes('models.generate_content'),
  );
  expect(served.length).toBeGreaterThan(0);
  for (const model of served) expect(nativeImagesOf(model)).toBe(model.imageGeneration);
  for (const id of ['gp-image-2', 'cl-sonnet-4-6']) {
    expect(() => nativeImagesOf(findModel(id) as never)).toThrow("has no images in Google's native format");
  }
});
