import { GatewayError } from '@gateway/contracts';
import { type Database, findWebhookEndpoint, replayDeliveries } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../../tokens.js';
import type { ReplayRequest } from './parse-replay.js';

/** What one request sets going, give or take a page; `has_more` says to ask the same again. */
const MOST = 10_000;

const refused = (what: string) => new GatewayError('invalid_request', `endpoint_id: ${what}`, { param: 'endpoint_id' });

/** Sends once more what happened to an account between two moments: to one of its endpoints, or to all. */
@Injectable()
export class ReplayDeliveries {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async replay(accountId: string, { perSecond, ...which }: ReplayRequest) {
    if (which.endpointId !== null) await this.#requireEnabled(accountId, which.endpointId);
    const pace = { perSecond, limit: MOST };
    const { replayed, broughtForward, hasMore } = await replayDeliveries(this.database, { accountId, ...which }, pace);
    return { replayed, brought_forward: broughtForward, has_more: hasMore };
  }

  async #requireEnabled(accountId: string, endpointId: string): Promise<void> {
    const endpoint = await findWebhookEndpoint(this.database, accountId, endpointId);
    if (endpoint === null) throw refused('is not an endpoint of this account');
    if (endpoint.disabledAt !== null) throw refused('is disabled: enable the endpoint first');
  }
}
