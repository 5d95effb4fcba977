import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';

const byName = new Map<string, CatalogueModel>();

for (const model of MODELS) {
  for (const name of [model.id, ...model.aliases]) {
    if (byName.has(name)) throw new Error(`two models have the name '${name}'`);
    byName.set(name, model);
  }
}

/** Finds a model by its public id or by an alias. */
export const findModel = (name: string): CatalogueModel | undefined => byName.get(name);
