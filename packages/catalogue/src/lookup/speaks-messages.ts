import type { CatalogueModel } from '../catalogue-model.js';

/** True if the model's own vendor speaks the native messages format: its clients' bytes then pass as they came. */
export const speaksMessages = ({ chat }: Pick<CatalogueModel, 'chat'>): boolean =>
  chat?.protocol === 'anthropic-messages';
