import type { Capability, CatalogueModel, ModelWithCapability } from '../catalogue-model.js';

/** A model as one that has a side. Throws if it has not: the catalogue's own test keeps endpoints and sides together. */
export function withCapability<Name extends Capability>(model: CatalogueModel, side: Name): ModelWithCapability<Name> {
  if (model[side] === undefined) throw new Error(`the catalogue gives ${model.id} no ${side} side`);
  return model as ModelWithCapability<Name>;
}
