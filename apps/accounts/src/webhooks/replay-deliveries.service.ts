import { invalidField } from '@gateway/json-service';
import { type Database, findWebhookEndpoint, replayDeliveries } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';
import type { ReplayRequest } from './parse-replay.js';

/** The deliveries of one request, within a page. With `has_more` the client repeats the request. */
const MAX_DELIVERIES = 10_000;

/** Replays an account's deliveries of a period, to one of its endpoints or to all. */
@Injectable()
export class ReplayDeliveries {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async replay(accountId: string, { perSecond, ...filter }: ReplayRequest) {
    if (filter.endpointId !== null) await this.#requireEnabled(accountId, filter.endpointId);
    const rate = { perSecond, limit: MAX_DELIVERIES };
    const { replayed, broughtForward, hasMore } = await replayDeliveries(this.database, { accountId, ...filter }, rate);
    return { replayed, brought_forward: broughtForward, has_more: hasMore };
  }

  async #requireEnabled(accountId: string, endpointId: string): Promise<void> {
    const endpoint = await findWebhookEndpoint(this.database, accountId, endpointId);
    if (endpoint === null) throw invalidField('endpoint_id', 'must be an endpoint of this account');
    if (endpoint.disabledAt !== null) throw invalidField('endpoint_id', 'must be an enabled endpoint: enable it first');
  }
}
