import type { CatalogueModel } from '../catalogue-model.js';

/** True if the upstream's protocol is Google's native format: requests are then forwarded byte for byte. */
export const hasNativeGenerate = ({ chat }: Pick<CatalogueModel, 'chat'>): boolean =>
  chat?.protocol === 'gemini-generate';
