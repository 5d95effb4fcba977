import { ACCOUNT_EVENT_TYPES, type AccountEventType, GatewayError } from '@gateway/contracts';
import { type Database, eventsAfter } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { page, text } from '../fields.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { eventView } from './webhook-views.js';

const TYPES = Object.keys(ACCOUNT_EVENT_TYPES) as [AccountEventType, ...AccountEventType[]];

const listing = z.strictObject({
  limit: page.limit,
  after: text(64).optional(),
  subject: text(128).optional(),
  type: z.enum(TYPES, `must be one of ${TYPES.join(', ')}`).optional(),
});

/** Everything that happened, whether a webhook told of it or not: for catching up. */
@Controller('account/events')
export class EventsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /**
   * The oldest first; those after the event whose id (a webhook's `webhook-id`) is given. A test key sees what test keys
   * did.
   */
  @Get()
  async list(@Req() request: FastifyRequest, @Query() query: unknown) {
    const { account, key } = await this.sessions.askerOf(request);
    const { limit, after, subject, type } = parse(listing, query);
    const events = await eventsAfter(this.database, account.id, {
      after: after ?? null,
      limit,
      ...(subject !== undefined && { subject }),
      ...(type !== undefined && { types: [type] }),
      ...(key?.isTest === true && { isTest: true }),
    });
    if (events === null) {
      const message = 'after: is not the id of an event of this account that is still kept';
      throw new GatewayError('invalid_request', message, { param: 'after' });
    }
    const last = events.length === limit ? events.at(-1) : undefined;
    return { data: events.map(eventView), next_cursor: last?.id ?? null };
  }
}
