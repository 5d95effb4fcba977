import type { CatalogueModel } from '../catalogue-model.js';

/**
 * A retired model as its successor serves it. What the client knows it by stays; upstream name, limits, prices and traits
 * are the successor's. `keeps` names exceptions.
 */
export const serveBySuccessor = (retired: CatalogueModel, successor: CatalogueModel): CatalogueModel => ({
  ...successor,
  ...retired.retirement?.keeps,
  id: retired.id,
  family: retired.family,
  aliases: retired.aliases,
  ownedBy: retired.ownedBy,
  released: retired.released,
  endpoints: retired.endpoints,
  ...(retired.retirement !== undefined && { retirement: retired.retirement }),
  servedBy: successor.servedBy ?? successor.id,
});
