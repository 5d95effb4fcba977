import type { CatalogueModel, ImageCapability } from '../catalogue-model.js';

/** The images of a model that serves Google's native format: each request is one interaction. Throws for a model that names no such endpoint. */
export function nativeImagesOf({
  id,
  imageGeneration,
}: Pick<CatalogueModel, 'id' | 'imageGeneration'>): ImageCapability<'gemini-interactions'> {
  if (imageGeneration?.protocol === 'gemini-interactions') return imageGeneration;
  throw new Error(`the model '${id}' has no images in Google's native format`);
}
