import { GatewayError } from '@gateway/contracts';
import { type Database, DELIVERY_STATES, findDelivery, listDeliveries, replayDelivery } from '@gateway/postgres';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { page, text } from '../fields.js';
import { LimitAttempts } from '../limit-attempts.service.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { parseReplay } from './parse-replay.js';
import { ReplayMany } from './replay-many.service.js';
import { deliveryView } from './webhook-views.js';

const listing = z.strictObject({
  ...page,
  endpoint_id: text(64).optional(),
  event_id: text(64).optional(),
  state: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
});

const unknown = () => new GatewayError('not_found', 'There is no such webhook delivery.');
const refused = (message: string) => new GatewayError('invalid_request', message);

/** What was sent where, what came back, and sending it again. */
@Controller('account/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly limitAttempts: LimitAttempts,
    private readonly replayMany: ReplayMany,
  ) {}

  /** The newest first. */
  @Get()
  async list(@Req() request: FastifyRequest, @Query() query: unknown) {
    const { id } = await this.sessions.readerOf(request);
    const { limit, cursor, endpoint_id: endpointId, event_id: eventId, state } = parse(listing, query);
    const place = decodeCursor(cursor, /^\d{1,18}$/);
    const before = place === null ? null : BigInt(place);
    const deliveries = await listDeliveries(this.database, id, { before, limit, endpointId, eventId, state });
    const last = deliveries.length === limit ? deliveries.at(-1) : undefined;
    const next_cursor = last === undefined ? null : encodeCursor(last.sequence.toString());
    return { data: deliveries.map(deliveryView), next_cursor };
  }

  @Get(':id')
  async show(@Req() request: FastifyRequest, @Param('id') id: string) {
    const account = await this.sessions.readerOf(request);
    return this.#show(account.id, id);
  }

  /** Sends once more what has not arrived, of one endpoint or of all: twice asked is once sent. */
  @Post('replay')
  @HttpCode(202)
  async replayAll(@Req() request: FastifyRequest, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const asked = parseReplay(body, new Date());
    await this.limitAttempts.count('webhook-replay-many', account.id);
    return this.replayMany.replay(account.id, asked);
  }

  /** Sends it once more, with the same event id: a receiver that has seen it can tell. */
  @Post(':id/replay')
  @HttpCode(202)
  async replay(@Req() request: FastifyRequest, @Param('id') id: string) {
    const account = await this.sessions.ownerOf(request);
    await this.#show(account.id, id);
    await this.limitAttempts.count('webhook-replay', account.id);
    const outcome = await replayDelivery(this.database, account.id, id);
    if (outcome === 'unknown') throw unknown();
    if (outcome === 'pending') throw refused('The delivery has not ended yet: it is still being tried by itself.');
    if (outcome === 'endpoint_disabled') throw refused('The endpoint is disabled. Enable it first.');
    if (outcome === 'endpoint_deleted') throw refused('The endpoint has been deleted.');
    return this.#show(account.id, id);
  }

  async #show(accountId: string, id: string) {
    const delivery = await findDelivery(this.database, accountId, id);
    if (delivery === null) throw unknown();
    return deliveryView(delivery);
  }
}
