import type { CatalogueModel } from '@gateway/catalogue';
import { type Changes, mergeChanges } from '@gateway/contracts';
import type { ValidRequest } from '../edge-request.js';

const bySuccessor = new WeakMap<CatalogueModel, Changes>();

/** A client that named a retired model learns which one answers. */
function modelChange(model: CatalogueModel): Changes | undefined {
  if (model.servedBy === undefined) return undefined;
  const known = bySuccessor.get(model) ?? { filled: { upstream_model: model.upstreamModel }, dropped: [] };
  bySuccessor.set(model, known);
  return known;
}

/** What the edge changed in a request: the model that serves it, and what validation changed. */
export const requestChanges = ({ model, changes }: Pick<ValidRequest, 'model' | 'changes'>): Changes =>
  mergeChanges(modelChange(model), changes);
