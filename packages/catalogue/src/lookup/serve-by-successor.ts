import type { Capability, CatalogueModel } from '../catalogue-model.js';

const CAPABILITIES = {
  chat: true,
  embeddings: true,
  imageGeneration: true,
  imageEdits: true,
  rerank: true,
  speech: true,
  video: true,
} as const satisfies Record<Capability, true>;

/** A successor can do more. Its id offers that, not the retired one. */
const withCapabilitiesOf = (retired: CatalogueModel, successor: CatalogueModel): CatalogueModel =>
  Object.fromEntries(
    Object.entries(successor).filter(
      ([name]) => !Object.hasOwn(CAPABILITIES, name) || retired[name as Capability] !== undefined,
    ),
  ) as unknown as CatalogueModel;

/**
 * A retired model as its successor serves it. What the client knows it by stays; upstream name, limits, prices and traits
 * are the successor's. `keeps` names exceptions.
 */
export const serveBySuccessor = (retired: CatalogueModel, successor: CatalogueModel): CatalogueModel => ({
  ...withCapabilitiesOf(retired, successor),
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
