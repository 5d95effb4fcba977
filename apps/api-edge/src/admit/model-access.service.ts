import {
  asCharged,
  type CatalogueModel,
  googleModelEntry,
  messagesModelEntries,
  modelAt,
  modelEntry,
  modelsAt,
  priceAt,
} from '@gateway/catalogue';
import type { Endpoint, GoogleModelEntry, KeyRecord, MessagesModelEntry, ModelEntry } from '@gateway/contracts';
import { describeMissingModel, type ModelScope, mayUseEndpoint, mayUseModel, resolveModel } from '@gateway/intake';
import { Inject, Injectable } from '@nestjs/common';
import { EDGE_CONFIG, type EdgeConfig } from '../tokens.js';

/** The models whose vendor is connected, and which of them a key may use. */
@Injectable()
export class ModelAccess {
  readonly #vendors: ReadonlySet<string>;

  constructor(@Inject(EDGE_CONFIG) private readonly config: EdgeConfig) {
    this.#vendors = new Set(config.vendors);
  }

  /**
   * What serves the model now. Throws 400 for an unknown or retired model or a wrong endpoint, 403 if the key may not use it.
   * `path`: what the client called, if the endpoint has several.
   */
  resolve(name: unknown, endpoint: Endpoint, key: KeyRecord, path?: string): CatalogueModel {
    return this.#charged(resolveModel(name, endpoint, this.scopeOf(key), path));
  }

  /** What `resolve` decides by. */
  scopeOf({ models, endpoints }: KeyRecord): ModelScope {
    return { access: { models, endpoints }, vendors: this.#vendors, atMs: this.#catalogueMs };
  }

  /** The public id of what serves a name now. The key may have no right to it. */
  idOf(name: string): string | undefined {
    return modelAt(name, this.#catalogueMs)?.id;
  }

  /** Why a name is not served. It names no model that the key may not use. */
  describeMissing(name: string, key: KeyRecord): string {
    const isUsable = (model: CatalogueModel): boolean => this.#vendors.has(model.vendor) && mayUseModel(key, model);
    return describeMissingModel(name, this.#catalogueMs, isUsable);
  }

  /** The list of `GET /v1/models`. */
  visibleTo(key: KeyRecord): readonly ModelEntry[] {
    const now = Date.now();
    return this.#usable(key)
      .map((model) => modelEntry(this.#charged(model), now, key.priceOverrides))
      .filter((entry) => entry !== undefined);
  }

  /** The list for clients of the native messages format: only models that `/v1/messages` serves. */
  visibleToMessages(key: KeyRecord): readonly MessagesModelEntry[] {
    const now = Date.now();
    return this.#usable(key)
      .filter((model) => model.endpoints.includes('messages') && priceAt(model, now) !== undefined)
      .flatMap((model) => messagesModelEntries(model, this.#catalogueMs));
  }

  /** The list for clients of Google's native API. */
  visibleToGoogle(key: KeyRecord): readonly GoogleModelEntry[] {
    const now = Date.now();
    return this.#usable(key)
      .filter((model) => priceAt(model, now) !== undefined)
      .map(googleModelEntry)
      .filter((entry) => entry !== undefined);
  }

  get #catalogueMs(): number {
    return this.config.catalogueAtMs ?? Date.now();
  }

  /** With the price of input seconds, if the operator charges them. */
  #charged(model: CatalogueModel): CatalogueModel {
    return asCharged(model, this.config);
  }

  /** Each model with only those endpoints that the key may use. */
  #usable(key: KeyRecord): readonly CatalogueModel[] {
    return modelsAt(this.#catalogueMs)
      .filter((model) => this.#vendors.has(model.vendor) && mayUseModel(key, model))
      .map((model) => ({ ...model, endpoints: model.endpoints.filter((endpoint) => mayUseEndpoint(key, endpoint)) }))
      .filter(({ endpoints }) => endpoints.length > 0);
  }
}
