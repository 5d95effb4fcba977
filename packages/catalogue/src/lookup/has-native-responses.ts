import type { CatalogueModel } from '../catalogue-model.js';

/**
 * True if an upstream protocol of the model is Responses: requests in that protocol are then forwarded byte for byte, with
 * their reasoning items. A model with two chat protocols takes them too.
 */
export const hasNativeResponses = ({ chat }: Pick<CatalogueModel, 'chat'>): boolean =>
  chat?.protocol === 'openai-responses' || chat?.toolReasoningProtocol === 'openai-responses';
