export type {
  Capability,
  CatalogueModel,
  ChatCapability,
  EmbeddingsCapability,
  ImageCapability,
  ModelWithCapability,
  OwnImageEdits,
  Retirement,
  SpeechCapability,
  VideoCapability,
} from './catalogue-model.js';
export { MODELS } from './families/all-families.js';
export { asCharged, chargeInputSeconds } from './lookup/charge-input-seconds.js';
export { findModel } from './lookup/find-model.js';
export { googleModelEntry } from './lookup/google-model-entry.js';
export { hasNativeGenerate } from './lookup/has-native-generate.js';
export { hasNativeMessages } from './lookup/has-native-messages.js';
export { hasNativeResponses } from './lookup/has-native-responses.js';
export { messagesModelEntries } from './lookup/messages-model-entry.js';
export { isStandIn, modelAt, modelOfPrice, modelsAt, servedModel } from './lookup/model-at.js';
export { modelCapabilities } from './lookup/model-capabilities.js';
export { modelEntry } from './lookup/model-entry.js';
export { modelOfUpstream } from './lookup/model-of-upstream.js';
export { nativeImagesOf } from './lookup/native-images-of.js';
export { nearestModel } from './lookup/nearest-name.js';
export { priceAt } from './lookup/price-at.js';
export { goneModel, type RetirementNotice, retirementNotice, upcomingRetirements } from './lookup/retirement-notice.js';
export { upstreamNameOf } from './lookup/upstream-name-of.js';
export { countFor, unitPricesFor, usageCost } from './lookup/usage-cost.js';
export { vendorCostOf, vendorPriceAt } from './lookup/vendor-cost.js';
export { withCapability } from './lookup/with-capability.js';
