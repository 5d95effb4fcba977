import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';

/** Throws if two models share a name. */
export function indexByName(models: readonly CatalogueModel[]): ReadonlyMap<string, CatalogueModel> {
  const byName = new Map<string, CatalogueModel>();
  for (const model of models) {
    for (const name of [model.id, ...model.aliases]) {
      if (byName.has(name)) throw new Error(`two models have the name '${name}'`);
      byName.set(name, model);
    }
  }
  return byName;
}

const byName = indexByName(MODELS);

/** Finds a model's own entry by its public id or an alias, retired or not. A request needs `modelAt`. */
export const findModel = (name: string): CatalogueModel | undefined => byName.get(name);
