import { GatewayError, type ItemListQuery, isStateId, type KeyRecord, type ResponseItemList } from '@gateway/contracts';
import { mayUseModel } from '@gateway/intake';
import type { StoredResponses, StoredTurn } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { STORED_RESPONSES } from '../tokens.js';
import { pageOf } from './item-pages.js';
import { ResponseHistory } from './response-history.service.js';
import { accessOf, orUnavailable } from './state-access.js';

const MAX_SHOWN = 100;

/** Reads and removes stored responses, as the account of a key may. Reads PostgreSQL only: nothing is charged. */
@Injectable()
export class StoredResponsesReader {
  constructor(
    @Inject(STORED_RESPONSES) private readonly responses: StoredResponses,
    private readonly history: ResponseHistory,
  ) {}

  /** Throws 404, also for a response of another account. */
  async find(key: KeyRecord, id: string): Promise<StoredTurn> {
    const found = isStateId(id) ? await orUnavailable(this.responses.find(accessOf(key), id)) : null;
    if (found === null || !mayUseModel(key, { id: found.model })) throw noResponse(id);
    return found;
  }

  /** Throws 404. */
  async delete(key: KeyRecord, id: string): Promise<void> {
    await this.find(key, id);
    if (!(await orUnavailable(this.responses.delete(accessOf(key), id)))) throw noResponse(id);
  }

  /** What the response was made of, its history included. Throws 404. */
  async inputItems(key: KeyRecord, id: string, query: ItemListQuery): Promise<ResponseItemList> {
    const items = await this.history.items(key, id);
    if (items === null) throw noResponse(id);
    return pageOf(items, query);
  }
}

const noResponse = (id: string): GatewayError =>
  new GatewayError('not_found', `Response with id '${id.slice(0, MAX_SHOWN)}' not found.`);
