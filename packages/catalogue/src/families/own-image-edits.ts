import type { OwnImageEdits } from '../catalogue-model.js';

/** The vendors' limit of one reference image. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Edits by the images endpoint of the model itself, with at most so many reference images. */
export const ownImageEdits = (most: number): OwnImageEdits => ({
  protocol: 'own-images',
  traits: { images: { most, bytes: MAX_FILE_BYTES } },
});
