import { GatewayError, type GoogleModelEntry, type KeyRecord } from '@gateway/contracts';
import { EncodedBody } from '@gateway/serving';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ModelAccess } from '../../admit/model-access.service.js';
import { googleModelPage } from './google-model-page.js';
import { messagesModelPage } from './messages-model-page.js';

/** A dated price or model appears at most this late. */
const CACHE_TTL_MS = 60_000;
/** Most keys have no restriction and share one list. */
const MAX_LISTS = 200;

/** The rendered lists of models. Keys with the same access share them. */
@Injectable()
export class ModelLists {
  readonly #lists = new LRUCache<string, EncodedBody>({ max: MAX_LISTS, ttl: CACHE_TTL_MS });

  constructor(private readonly models: ModelAccess) {}

  list(key: KeyRecord): EncodedBody {
    return this.#cached(key, ['openai'], () => {
      const data = this.models.visibleTo(key);
      const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
      return { object: 'list', data, has_more: false, ...ends };
    });
  }

  /** One page in the native messages format. Throws a 400 for a wrong page. */
  messagesPage(key: KeyRecord, { limit, after_id, before_id }: Readonly<Record<string, unknown>>): EncodedBody {
    const query = { limit, after_id, before_id };
    return this.#cached(key, ['messages', query], () => messagesModelPage(this.models.visibleToMessages(key), query));
  }

  /** One page in Google's form. Throws a 400 for a wrong page. */
  googlePage(key: KeyRecord, { pageSize, pageToken }: Readonly<Record<string, unknown>>): EncodedBody {
    const query = { pageSize, pageToken };
    return this.#cached(key, ['google', query], () => googleModelPage(this.models.visibleToGoogle(key), query));
  }

  /** By public id, alias or built-in name. Throws 404, also for a model that the key may not use. */
  googleEntry(key: KeyRecord, name: string): GoogleModelEntry {
    const id = this.models.idOf(name);
    const found = this.models.visibleToGoogle(key).find((entry) => entry.name === `models/${id}`);
    if (found !== undefined) return found;
    throw new GatewayError('not_found', this.models.describeMissing(name, key), { param: 'model' });
  }

  /** `what`: the format and the page. */
  #cached({ models, endpoints, priceOverrides }: KeyRecord, what: unknown, render: () => unknown): EncodedBody {
    const name = JSON.stringify([what, models, endpoints, priceOverrides]);
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const list = new EncodedBody(Buffer.from(JSON.stringify(render())));
    this.#lists.set(name, list);
    return list;
  }
}
