import {
  type ItemListQuery,
  isStateId,
  type KeyRecord,
  type ResponseItemList,
  STATE_FORMS,
  type StateForm,
} from '@gateway/contracts';
import { mayUseModel } from '@gateway/intake';
import type { StoredAnswer, StoredResponses } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { TakeRoom } from '../edge-request.js';
import { STORED_RESPONSES } from '../tokens.js';
import { pageOf } from './item-pages.js';
import { ResponseHistory, SHORT_HISTORY_BYTES } from './response-history.service.js';
import { accessOf, orUnavailable, soonOrUnavailable } from './state-access.js';

/** Reads and removes stored responses, as the account of a key may. Reads PostgreSQL only: nothing is charged. */
@Injectable()
export class StoredResponsesReader {
  constructor(
    @Inject(STORED_RESPONSES) private readonly responses: StoredResponses,
    private readonly history: ResponseHistory,
  ) {}

  /** Without the text of a long response. Throws 404, also for a response of another account or of another format. */
  async find(key: KeyRecord, id: string, form: StateForm): Promise<StoredAnswer> {
    const reader = accessOf(key, form);
    const isOwn = isStateId(id) && form.owns(id);
    const found = isOwn ? await soonOrUnavailable(this.responses.find(reader, id, SHORT_HISTORY_BYTES)) : null;
    if (found === null || !mayUseModel(key, { id: found.model })) throw form.notFound(id);
    return found;
  }

  /** Throws 404. */
  async delete(key: KeyRecord, id: string, form: StateForm): Promise<void> {
    await this.find(key, id, form);
    if (!(await soonOrUnavailable(this.responses.delete(accessOf(key, form), id)))) throw form.notFound(id);
  }

  /** The JSON of a response that was found, or of its input as its request had it. Throws 404. */
  async readText(key: KeyRecord, id: string, form: StateForm, column: 'input' | 'response'): Promise<string> {
    const text = await orUnavailable(this.responses.readText(accessOf(key, form), id, column));
    if (text === null) throw form.notFound(id);
    return text;
  }

  /** What the response was made of, its history included. Throws 404. */
  async inputItems(key: KeyRecord, id: string, query: ItemListQuery, takeRoom: TakeRoom): Promise<ResponseItemList> {
    const items = await this.history.items(key, id, takeRoom);
    if (items === null) throw STATE_FORMS.responses.notFound(id);
    return pageOf(items, query);
  }
}
