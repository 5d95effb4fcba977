import type { Capability, CatalogueModel, ModelWithCapability } from '../catalogue-model.js';

/** Narrows a model to one with a capability. Throws if it has none: the catalogue's spec checks each endpoint's. */
export function withCapability<Name extends Capability>(
  model: CatalogueModel,
  capability: Name,
): ModelWithCapability<Name> {
  if (model[capability] === undefined) throw new Error(`the model '${model.id}' has no capability '${capability}'`);
  return model as ModelWithCapability<Name>;
}
