import type { CatalogueModel } from '../catalogue-model.js';

/** True if the model's upstream speaks the native messages format: requests are then forwarded byte for byte. */
export const speaksMessages = ({ chat }: Pick<CatalogueModel, 'chat'>): boolean =>
  chat?.protocol === 'anthropic-messages';
