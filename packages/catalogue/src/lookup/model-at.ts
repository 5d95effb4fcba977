import type { CatalogueModel } from '../catalogue-model.js';
import { MODELS } from '../families/all-families.js';
import { STAND_INS } from '../families/stand-ins.js';
import { findModel, indexByName } from './find-model.js';
import { serveBySuccessor } from './serve-by-successor.js';

/** The catalogue between two retirements. */
interface Period {
  readonly fromMs: number;
  /** In the order of `GET /v1/models`. */
  readonly models: readonly CatalogueModel[];
  readonly byName: ReadonlyMap<string, CatalogueModel>;
}

const served = new Map<string, CatalogueModel>();

/** The model that answers for `model` at a moment: itself, its successor under its id, or undefined. */
function resolve(model: CatalogueModel, atMs: number): CatalogueModel | undefined {
  const { retirement } = model;
  if (retirement === undefined || atMs < Date.parse(retirement.on)) return model;
  const successor = retirement.successor === undefined ? undefined : findModel(retirement.successor);
  const answering = successor === undefined ? undefined : resolve(successor, atMs);
  if (answering === undefined) return undefined;
  const key = servedKey(model.id, answering.servedBy ?? answering.id);
  const known = served.get(key) ?? serveBySuccessor(model, answering);
  served.set(key, known);
  return known;
}

const servedKey = (id: string, servedBy: string): string => `${id} ${servedBy}`;

/** Adds the names that clients have built in. Throws for a name of the catalogue. */
function withStandIns(byName: ReadonlyMap<string, CatalogueModel>): ReadonlyMap<string, CatalogueModel> {
  const all = new Map(byName);
  for (const { names, model: id } of STAND_INS) {
    const model = byName.get(id);
    for (const name of names) {
      if (all.has(name)) throw new Error(`the name '${name}' stands for two models`);
      if (model !== undefined) all.set(name, model);
    }
  }
  return all;
}

function periodFrom(fromMs: number): Period {
  const models = MODELS.flatMap((model) => resolve(model, fromMs) ?? []);
  return { fromMs, models, byName: withStandIns(indexByName(models)) };
}

const retirementsMs = new Set(
  (MODELS as readonly CatalogueModel[]).flatMap(({ retirement }) =>
    retirement === undefined ? [] : [Date.parse(retirement.on)],
  ),
);

/** Latest first: nearly every lookup is in one of the first. Computed once: a request only compares numbers. */
const PERIODS: readonly Period[] = [Number.NEGATIVE_INFINITY, ...retirementsMs]
  .sort((one, other) => other - one)
  .map(periodFrom);

function periodAt(atMs: number): Period {
  const period = PERIODS.find(({ fromMs }) => fromMs <= atMs);
  if (period === undefined) throw new RangeError(`expected Unix milliseconds, got ${atMs}`);
  return period;
}

/**
 * Finds what serves a public id, an alias or a name that clients have built in, at a moment (Unix milliseconds). A built-in
 * name gets the model under its own id: see `isStandIn`. After a retirement it has the public id of the
 * request, and everything else of its successor. Undefined: unknown, or retired without a successor.
 */
export const modelAt = (name: string, atMs: number): CatalogueModel | undefined => periodAt(atMs).byName.get(name);

/** True if a model of another name serves this one: the client must learn which. */
export const isStandIn = (name: unknown, { id, aliases }: Pick<CatalogueModel, 'id' | 'aliases'>): boolean =>
  typeof name === 'string' && name !== id && !aliases.includes(name);

/** Every name that something answers to at a moment. */
export const namesAt = (atMs: number): Iterable<string> => periodAt(atMs).byName.keys();

/** All models that are served at a moment, in the order of `GET /v1/models`. */
export const modelsAt = (atMs: number): readonly CatalogueModel[] => periodAt(atMs).models;

/** The model of a request that was resolved before, by its public id and the `servedBy` of then. */
export const servedModel = (id: string, servedBy: string | undefined): CatalogueModel | undefined =>
  servedBy === undefined ? findModel(id) : served.get(servedKey(id, servedBy));

/**
 * The model that a frozen price belongs to: its version names what serves the public id. A worker so uses the model that
 * the edge validated and priced, whatever its own clock says.
 */
export function modelOfPrice(id: string, priceVersion: string): CatalogueModel | undefined {
  const pricedId = priceVersion.slice(0, priceVersion.indexOf('@'));
  return servedModel(id, pricedId === id ? undefined : pricedId);
}
