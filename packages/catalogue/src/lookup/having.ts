import type { CatalogueModel, ModelWith, Side } from '../catalogue-model.js';

/** A model as one that has a side. Throws if it has not: the catalogue's own test keeps endpoints and sides together. */
export function having<Name extends Side>(model: CatalogueModel, side: Name): ModelWith<Name> {
  if (model[side] === undefined) throw new Error(`the catalogue gives ${model.id} no ${side} side`);
  return model as ModelWith<Name>;
}
