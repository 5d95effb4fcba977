import { Describe } from '@gateway/api-description';
import { type AccountEvent, GatewayError, renderWebhookBody } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type AccountRecord, type Database, findDelivery, listDeliveries, replayDelivery } from '@gateway/postgres';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAccountRead, AllowActiveSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { sendList } from '../http/send-list.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { parseReplay } from './parse-replay.js';
import { ReplayDeliveries } from './replay-deliveries.service.js';
import { deliveryView } from './webhook-views.js';
import { deliveryListing, WEBHOOKS } from './webhooks.description.js';

/** PostgreSQL returns the type as text. */
type WebhookEvent = Pick<AccountEvent, 'id' | 'type' | 'createdAt' | 'data'>;

const DELIVERY_COLUMNS = [
  'id',
  'event_id',
  'event',
  'subject',
  'endpoint_id',
  'url',
  'state',
  'attempts',
  'last_status',
  'last_error',
  'created_at',
  'finished_at',
];

const unknown = () => new GatewayError('not_found', 'There is no such webhook delivery.');
const refused = (message: string) => new GatewayError('invalid_request', message);

/** The deliveries of an account with the responses of its endpoints, and their replay. */
@Controller('account/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly replayDeliveries: ReplayDeliveries,
  ) {}

  /** The newest first. */
  @Describe(WEBHOOKS.deliveries)
  @AllowAccountRead('viewer')
  @Get()
  async list(
    @CallerAccount() account: AccountRecord,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { endpoint_id: endpointId, event_id: eventId, state, ...page } = parse(deliveryListing, query);
    return sendList<ReturnType<typeof deliveryView>>(reply, page, {
      filename: 'webhook-deliveries.csv',
      columns: DELIVERY_COLUMNS,
      cells: ({ event, ...delivery }) => ({
        ...delivery,
        event_id: event.id,
        event: event.type,
        subject: event.subject,
      }),
      read: async (limit, cursor) => {
        const place = decodeCursor(cursor, /^\d{1,18}$/);
        const before = place === null ? null : BigInt(place);
        const filter = { before, endpointId, eventId, state };
        const { rows, next_cursor } = await readPage(
          limit,
          (count) => listDeliveries(this.database, account.id, { ...filter, limit: count }),
          ({ sequence }) => encodeCursor(sequence.toString()),
        );
        return { data: rows.map(deliveryView), next_cursor };
      },
    });
  }

  @Describe(WEBHOOKS.delivery)
  @AllowAccountRead('viewer')
  @Get(':id')
  async show(@CallerAccount() account: AccountRecord, @Param('id') id: string) {
    return this.#show(account.id, id);
  }

  /** Replays the deliveries that failed, of one endpoint or of all. The same request twice sends each of them once. */
  @Describe(WEBHOOKS.replayAll)
  @AllowActiveSession('developer')
  @Post('replay')
  @HttpCode(202)
  async replayAll(@CallerAccount() account: AccountRecord, @Body() body: unknown) {
    const replay = parseReplay(body, new Date());
    await this.attemptLimiter.count('webhook-replay-many', account.id);
    return this.replayDeliveries.replay(account.id, replay);
  }

  /** Replays one delivery with the same event id, so that the receiver can detect a duplicate. */
  @Describe(WEBHOOKS.replay)
  @AllowActiveSession('developer')
  @Post(':id/replay')
  @HttpCode(202)
  async replay(@CallerAccount() account: AccountRecord, @Param('id') id: string) {
    await this.#show(account.id, id);
    await this.attemptLimiter.count('webhook-replay', account.id);
    const outcome = await replayDelivery(this.database, account.id, id);
    if (outcome === 'unknown') throw unknown();
    if (outcome === 'pending') throw refused('The delivery is still pending: the gateway retries it by itself.');
    if (outcome === 'endpoint_disabled') throw refused('The endpoint is disabled. Enable it first.');
    if (outcome === 'endpoint_deleted') throw refused('The endpoint has been deleted.');
    return this.#show(account.id, id);
  }

  async #show(accountId: string, id: string) {
    const delivery = await findDelivery(this.database, accountId, id);
    if (delivery === null) throw unknown();
    const event = { ...delivery.event, id: delivery.event.publicId } as WebhookEvent;
    return { ...deliveryView(delivery), body: renderWebhookBody(event) };
  }
}
