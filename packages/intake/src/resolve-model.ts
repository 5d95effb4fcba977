import { type CatalogueModel, findModel } from '@gateway/catalogue';
import { ENDPOINTS, type Endpoint, GatewayError, type KeyRecord, truncateForError } from '@gateway/contracts';

/** The models and endpoints that a key may use; null means all. */
export type KeyAccess = Pick<KeyRecord, 'models' | 'endpoints'>;

export const mayUseModel = ({ models }: KeyAccess, { id }: Pick<CatalogueModel, 'id'>): boolean =>
  models === null || models.includes(id);

/**
 * Finds the model by id or alias, among those whose vendor is connected. Throws 400 for an unknown model or a wrong endpoint,
 * 403 if the key may not use it.
 */
export function resolveModel(
  name: unknown,
  endpoint: Endpoint,
  key: KeyAccess,
  vendors: ReadonlySet<string>,
): CatalogueModel {
  if (typeof name !== 'string' || name === '') {
    throw new GatewayError('invalid_request', "'model': expected the id of a model, such as 'cl-sonnet-4-6'.", {
      param: 'model',
    });
  }
  const model = findModel(name);
  if (model === undefined || !vendors.has(model.vendor)) {
    throw new GatewayError(
      'model_not_found',
      `The model '${truncateForError(name)}' does not exist or you do not have access to it.`,
      {
        param: 'model',
      },
    );
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
