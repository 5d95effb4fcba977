import { type CatalogueModel, findModel, MODELS, messagesModelEntries, modelEntry, priceAt } from '@gateway/catalogue';
import {
  ENDPOINTS,
  type Endpoint,
  GatewayError,
  type KeyRecord,
  type MessagesModelEntry,
  type ModelEntry,
} from '@gateway/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { EDGE_CONFIG, type EdgeConfig } from '../edge-config.js';

/** Which models exist here (their vendor is connected) and which of them a key may use. */
@Injectable()
export class ModelAccess {
  readonly #vendors: ReadonlySet<string>;

  constructor(@Inject(EDGE_CONFIG) config: EdgeConfig) {
    this.#vendors = new Set(config.vendors);
  }

  /** The model of a request. Throws 400 for an unknown one and for a wrong endpoint, 403 for one that the key may not use. */
  resolve(name: unknown, endpoint: Endpoint, key: KeyRecord): CatalogueModel {
    if (typeof name !== 'string' || name === '') {
      throw new GatewayError('invalid_request', "'model': expected the id of a model, such as 'cl-sonnet-4-6'.", {
        param: 'model',
      });
    }
    const model = findModel(name);
    if (model === undefined || !this.#vendors.has(model.vendor)) {
      throw new GatewayError('model_not_found', `The model '${name}' does not exist or you do not have access to it.`, {
        param: 'model',
      });
    }
    if (!model.endpoints.includes(endpoint)) {
      const right = model.endpoints.map((other) => ENDPOINTS[other].path).join(', ');
      throw new GatewayError(
        'endpoint_model_mismatch',
        `The model '${name}' is not served on ${ENDPOINTS[endpoint].path}. Use it on ${right}.`,
        { param: 'model' },
      );
    }
    if (!mayUse(key, model) || (key.endpoints !== null && !key.endpoints.includes(endpoint))) {
      throw new GatewayError('permission_denied', `This key may not use '${name}' on ${ENDPOINTS[endpoint].path}.`, {
        param: 'model',
      });
    }
    return model;
  }

  /** What `GET /v1/models` shows to a key. */
  visibleTo(key: KeyRecord): readonly ModelEntry[] {
    const now = Date.now();
    return this.#usable(key)
      .map((model) => modelEntry(model, now))
      .filter((entry) => entry !== undefined);
  }

  /** The same for clients of the native messages format, which see the models that they can ask in it. */
  visibleToMessages(key: KeyRecord): readonly MessagesModelEntry[] {
    const now = Date.now();
    return this.#usable(key)
      .filter((model) => model.endpoints.includes('messages') && priceAt(model, now) !== undefined)
      .flatMap(messagesModelEntries);
  }

  #usable(key: KeyRecord): readonly CatalogueModel[] {
    return MODELS.filter(
      (model) => this.#vendors.has(model.vendor) && mayUse(key, model) && hasEndpointFor(key, model),
    );
  }
}

const mayUse = (key: KeyRecord, model: CatalogueModel): boolean => key.models === null || key.models.includes(model.id);

const hasEndpointFor = (key: KeyRecord, model: CatalogueModel): boolean =>
  key.endpoints === null || model.endpoints.some((endpoint) => key.endpoints?.includes(endpoint));
