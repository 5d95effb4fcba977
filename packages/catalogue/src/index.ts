export type {
  CatalogueModel,
  ChatSide,
  EmbeddingsSide,
  ImageSide,
  ModelWith,
  Side,
  SpeechSide,
} from './catalogue-model.js';
export { MODELS } from './families/all-families.js';
export { costOfUsage, unitPricesFor } from './lookup/cost-of-usage.js';
export { findModel } from './lookup/find-model.js';
export { having } from './lookup/having.js';
export { messagesModelEntries } from './lookup/messages-model-entry.js';
export { modelEntry } from './lookup/model-entry.js';
export { priceAt } from './lookup/price-at.js';
export { speaksMessages } from './lookup/speaks-messages.js';
