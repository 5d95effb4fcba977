import type { CatalogueModel } from '../catalogue-model.js';

/** True if the upstream's protocol is the native messages format: requests are then forwarded byte for byte. */
export const hasNativeMessages = ({ chat }: Pick<CatalogueModel, 'chat'>): boolean =>
  chat?.protocol === 'anthropic-messages';
