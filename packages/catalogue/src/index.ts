export type {
  Capability,
  CatalogueModel,
  ChatCapability,
  EmbeddingsCapability,
  ImageCapability,
  ModelWithCapability,
  SpeechCapability,
} from './catalogue-model.js';
export { MODELS } from './families/all-families.js';
export { findModel } from './lookup/find-model.js';
export { hasNativeMessages } from './lookup/has-native-messages.js';
export { messagesModelEntries } from './lookup/messages-model-entry.js';
export { modelEntry } from './lookup/model-entry.js';
export { priceAt } from './lookup/price-at.js';
export { unitPricesFor, usageCost } from './lookup/usage-cost.js';
export { withCapability } from './lookup/with-capability.js';
