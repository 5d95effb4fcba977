import { type CatalogueModel, goneModel, modelAt } from '@gateway/catalogue';
import { ENDPOINTS, type Endpoint, GatewayError, type KeyRecord, truncateForError } from '@gateway/contracts';

/** The models and endpoints that a key may use; null means all. */
export type KeyAccess = Pick<KeyRecord, 'models' | 'endpoints'>;

export const mayUseModel = ({ models }: KeyAccess, { id }: Pick<CatalogueModel, 'id'>): boolean =>
  models === null || models.includes(id);

/** Says why no model serves a name. A retired one names what to use instead. */
export function describeMissingModel(name: string): string {
  const gone = goneModel(name);
  const shown = `The model '${truncateForError(name)}'`;
  if (gone === undefined) return `${shown} does not exist or you do not have access to it.`;
  const advice = gone.nearest === undefined ? 'GET /v1/models lists the others.' : `Use '${gone.nearest}'.`;
  return `${shown} was shut down by its vendor on ${gone.on}. ${advice}`;
}

/**
 * Finds what serves an id or alias at a moment (Unix milliseconds), among models whose vendor is connected. Throws 400 for
 * an unknown or retired model or a wrong endpoint, 403 if the key may not use it.
 */
export function resolveModel(
  name: unknown,
  endpoint: Endpoint,
  key: KeyAccess,
  vendors: ReadonlySet<string>,
  atMs: number,
): CatalogueModel {
  if (typeof name !== 'string' || name === '') {
    throw new GatewayError('invalid_request', "'model': expected the id of a model, such as 'cl-sonnet-4-6'.", {
      param: 'model',
    });
  }
  const model = modelAt(name, atMs);
  if (model === undefined || !vendors.has(model.vendor)) {
    throw new GatewayError('model_not_found', describeMissingModel(name), { param: 'model' });
  }
  if (!model.endpoints.includes(endpoint)) {
    const right = model.endpoints.map((other) => ENDPOINTS[other].path).join(', ');
    throw new GatewayError(
      'endpoint_model_mismatch',
      `The model '${truncateForError(name)}' is not served on ${ENDPOINTS[endpoint].path}. Use it on ${right}.`,
      { param: 'model' },
    );
  }
  if (!mayUseModel(key, model) || (key.endpoints !== null && !key.endpoints.includes(endpoint))) {
    throw new GatewayError(
      'permission_denied',
      `This key may not use '${truncateForError(name)}' on ${ENDPOINTS[endpoint].path}.`,
      {
        param: 'model',
      },
    );
  }
  return model;
}
