import { type CatalogueModel, goneModel, isStandIn, modelAt, modelsAt, nearestModel } from '@gateway/catalogue';
import {
  accessEndpointOf,
  type Changes,
  ENDPOINTS,
  type Endpoint,
  GatewayError,
  type KeyRecord,
  truncateForError,
} from '@gateway/contracts';

/** The models and endpoints that a key may use; null means all. */
export type KeyAccess = Pick<KeyRecord, 'models' | 'endpoints'>;

/** What the models of a request are chosen by. Plain data: it crosses threads. */
export interface ModelScope {
  readonly access: KeyAccess;
  /** Those that are connected. */
  readonly vendors: ReadonlySet<string>;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Whether a key has the right of an endpoint, which may be that of another one. */
export const mayUseEndpoint = ({ endpoints }: Pick<KeyAccess, 'endpoints'>, endpoint: Endpoint): boolean =>
  endpoints === null || endpoints.includes(accessEndpointOf(endpoint));

export const mayUseModel = ({ models }: KeyAccess, { id }: Pick<CatalogueModel, 'id'>): boolean =>
  models === null || models.includes(id);

/**
 * Says why no model serves a name. A retired name gets what to use instead, any other one the most similar model. Where no
 * model is similar, `path` gets an example of those that serve it.
 */
export function describeMissingModel(
  name: string,
  atMs: number,
  isUsable: (model: CatalogueModel) => boolean,
  path?: string,
): string {
  const gone = goneModel(name, atMs);
  const shown = `The model '${truncateForError(name)}'`;
  if (gone === undefined) {
    const nearest = nearestModel(name, atMs, isUsable);
    const advice =
      nearest === undefined ? listHint('the models', atMs, isUsable, path) : `The nearest is '${nearest.id}'.`;
    return `${shown} does not exist or you do not have access to it. ${advice}`;
  }
  const advice = gone.nearest === undefined ? listHint('the others', atMs, isUsable, path) : `Use '${gone.nearest}'.`;
  return `${shown} was shut down by its vendor on ${gone.on}. ${advice}`;
}

function listHint(
  which: string,
  atMs: number,
  isUsable: (model: CatalogueModel) => boolean,
  path: string | undefined,
): string {
  const example = path === undefined ? undefined : modelsAt(atMs).find(isUsable);
  return `GET /v1/models lists ${which}${example === undefined ? '' : `, such as '${example.id}' for ${path}`}.`;
}

/** Reports which model serves a name that is not its own. */
export const standInChanges = (name: unknown, model: CatalogueModel): Changes | undefined =>
  isStandIn(name, model) ? { filled: { model: model.id }, dropped: [] } : undefined;

/**
 * Finds what serves an id, an alias or a built-in name at a moment (Unix milliseconds), among models whose vendor is connected. Throws 400 for
 * an unknown or retired model or a wrong endpoint, 403 if the key may not use it. `path`: what the client called, if the
 * endpoint has several.
 */
export function resolveModel(
  name: unknown,
  endpoint: Endpoint,
  { access: key, vendors, atMs }: ModelScope,
  path: string = ENDPOINTS[endpoint].path,
): CatalogueModel {
  if (typeof name !== 'string' || name === '') {
    throw new GatewayError('invalid_request', "'model': expected the id of a model, such as 'cl-sonnet-4-6'.", {
      param: 'model',
    });
  }
  const serving = accessEndpointOf(endpoint);
  const model = modelAt(name, atMs);
  if (model === undefined || !vendors.has(model.vendor)) {
    const isUsable = (other: CatalogueModel): boolean =>
      vendors.has(other.vendor) && other.endpoints.includes(serving) && mayUseModel(key, other);
    throw new GatewayError('model_not_found', describeMissingModel(name, atMs, isUsable, path), { param: 'model' });
  }
  if (!model.endpoints.includes(serving)) {
    const right = model.endpoints.map((other) => ENDPOINTS[other].path).join(', ');
    throw new GatewayError(
      'endpoint_model_mismatch',
      `The model '${truncateForError(name)}' is not served on ${path}. Use it on ${right}.`,
      { param: 'model' },
    );
  }
  if (!mayUseModel(key, model) || !mayUseEndpoint(key, endpoint)) {
    throw new GatewayError(
      'permission_denied',
      `This key may not use '${truncateForError(name)}' on ${path}.${servedHint(name, model)}`,
      {
        param: 'model',
      },
    );
  }
  return model;
}

/** A key lists models, and a built-in name is none: the refusal names the one that serves it. */
const servedHint = (name: string, model: CatalogueModel): string =>
  isStandIn(name, model) ? ` '${model.id}' serves that name.` : '';
