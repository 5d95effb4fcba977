import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, eventsAfter } from '@gateway/postgres';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { AllowAccountRead } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller } from '../guards/caller.js';
import { readPage } from '../http/cursor.js';
import { eventView } from '../http/event-view.js';
import { DATABASE } from '../tokens.js';
import { eventListing, WEBHOOKS } from './webhooks.description.js';

/** All events of an account, with or without a webhook. A client that missed deliveries catches up here. */
@Controller('account/events')
export class EventsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * The oldest first. `after` is the id of the last event that the client knows: the header `webhook-id` of a delivery.
   * A test key sees only the events of test keys.
   */
  @Describe(WEBHOOKS.events)
  @AllowAccountRead('viewer')
  @Get()
  async list(@AuthenticatedCaller() caller: AccountCaller, @Query() query: unknown) {
    const { limit, after, subject, type } = parse(eventListing, query);
    const filter = {
      after: after ?? null,
      ...(subject !== undefined && { subject }),
      ...(type !== undefined && { types: [type] }),
      ...(isTestCaller(caller) && { isTest: true }),
    };
    const { rows, next_cursor } = await readPage(
      limit,
      async (count) => {
        const events = await eventsAfter(this.database, caller.account.id, { ...filter, limit: count });
        if (events !== null) return events;
        const message = 'after: must be the id of a stored event of this account';
        throw new GatewayError('invalid_request', message, { param: 'after' });
      },
      ({ id }) => id,
    );
    return { data: rows.map(eventView), next_cursor };
  }
}
