import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { type Database, listAllEndpoints } from '@gateway/postgres';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { DATABASE } from '../tokens.js';
import { endpointView } from './webhook-views.js';
import { ownedEndpointListing, WEBHOOKS } from './webhooks.description.js';

/** The endpoints of all accounts, for the operator who asks which of them fail. */
@Controller('admin/webhook-endpoints')
export class AdminWebhookEndpointsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Describe(WEBHOOKS.listAll)
  @AllowAdmin()
  @Followable()
  @Get()
  async list(@Query() query: unknown) {
    const { limit, cursor, state, account_id: accountId } = parse(ownedEndpointListing, query);
    const afterId = decodeCursor(cursor, /^[\w-]{1,64}$/);
    const { rows, next_cursor } = await readPage(
      limit,
      (count) => listAllEndpoints(this.database, { state, accountId, afterId, limit: count }),
      ({ id }) => encodeCursor(id),
    );
    return {
      data: rows.map((endpoint) => ({
        ...endpointView(endpoint),
        account_id: endpoint.accountId,
        account_email: endpoint.accountEmail,
        pending: endpoint.pending,
      })),
      next_cursor,
    };
  }
}
