import { type CatalogueModel, MODELS, messagesModelEntries, modelEntry, priceAt } from '@gateway/catalogue';
import type { Endpoint, KeyRecord, MessagesModelEntry, ModelEntry } from '@gateway/contracts';
import { mayUseModel, resolveModel } from '@gateway/intake';
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
    return resolveModel(name, endpoint, key, this.#vendors);
  }

  /** What `GET /v1/models` shows to a key. */
  visibleTo(key: KeyRecord): readonly ModelEntry[] {
    const now = Date.now();
    return this.#usable(key)
      .map((model) => modelEntry(model, now, key.priceOverrides))
      .filter((entry) => entry !== undefined);
  }

  /** The same for clients of the native messages format, which see the models that they can ask in it. */
  visibleToMessages(key: KeyRecord): readonly MessagesModelEntry[] {
    const now = Date.now();
    return this.#usable(key)
      .filter((model) => model.endpoints.includes('messages') && priceAt(model, now) !== undefined)
      .flatMap(messagesModelEntries);
  }

  /** Each on those of its endpoints where the key may use it. */
  #usable(key: KeyRecord): readonly CatalogueModel[] {
    return MODELS.filter((model) => this.#vendors.has(model.vendor) && mayUseModel(key, model))
      .map((model) => ({ ...model, endpoints: model.endpoints.filter((endpoint) => mayUseEndpoint(key, endpoint)) }))
      .filter(({ endpoints }) => endpoints.length > 0);
  }
}

const mayUseEndpoint = (key: KeyRecord, endpoint: Endpoint): boolean => key.endpoints?.includes(endpoint) ?? true;
