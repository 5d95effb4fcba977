import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';
import { findModel } from './find-model.js';

const byUpstreamName = new Map<string, CatalogueModel>(
  (MODELS as readonly CatalogueModel[]).map((model) => [model.upstreamModel, model]),
);

/** A vendor may add the date of a release, such as `claude-opus-4-6-20260205`. */
const DATE = /-\d{8}$/;

/** Finds a model by the name that its vendor uses in a response: the upstream's name, an alias, or either with a date. */
export const modelOfUpstream = (name: string): CatalogueModel | undefined => {
  const undated = name.replace(DATE, '');
  return byUpstreamName.get(name) ?? findModel(name) ?? byUpstreamName.get(undated) ?? findModel(undated);
};
