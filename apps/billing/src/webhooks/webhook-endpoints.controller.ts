import type { BillingConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import {
  changeWebhookEndpoint,
  createFirstSecret,
  createWebhookEndpoint,
  type Database,
  enableWebhookEndpoint,
  endWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  secretSeal,
  sendTestEvent,
} from '@gateway/postgres';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BILLING_CONFIG } from '../billing-config.js';
import { DATABASE } from '../billing-doors.js';
import { LimitAttempts } from '../limit-attempts.service.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { endpointChange, newEndpoint, requireSendable } from './endpoint-settings.js';
import { endpointView } from './webhook-views.js';

const MOST_ENDPOINTS = 20;

const unknown = () => new GatewayError('not_found', 'There is no such webhook endpoint.');
const refused = (message: string, param?: string) =>
  new GatewayError('invalid_request', message, param === undefined ? {} : { param });

/** The standing addresses that hear of an account's events. */
@Controller('account/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(BILLING_CONFIG) private readonly config: Pick<BillingConfig, 'webhookAllowInsecure' | 'webhookSecretKeys'>,
    private readonly sessions: Sessions,
    private readonly limitAttempts: LimitAttempts,
  ) {}

  /** The first endpoint of an account comes with the secret that its deliveries are signed with, shown this once. */
  @Post()
  @HttpCode(201)
  async create(@Req() request: FastifyRequest, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const { url, events, description, test } = parse(newEndpoint, body);
    const sendable = requireSendable(url, { allowInsecure: this.config.webhookAllowInsecure });
    const endpoint = { url: sendable, eventTypes: events, description, isTest: test };
    const created = await createWebhookEndpoint(this.database, account.id, endpoint, MOST_ENDPOINTS);
    if (created.outcome === 'exists') throw refused('url: there is an endpoint with this address already', 'url');
    if (created.outcome === 'too_many') throw refused(`An account has at most ${MOST_ENDPOINTS} webhook endpoints.`);
    const secret = await createFirstSecret(this.database, account.id, secretSeal(this.config.webhookSecretKeys));
    return { ...(await this.#show(account.id, created.id)), ...(secret !== null && { secret }) };
  }

  @Get()
  async list(@Req() request: FastifyRequest) {
    const { id } = await this.sessions.readerOf(request);
    return { data: (await listWebhookEndpoints(this.database, id)).map(endpointView), next_cursor: null };
  }

  @Get(':id')
  async show(@Req() request: FastifyRequest, @Param('id') id: string) {
    const account = await this.sessions.readerOf(request);
    return this.#show(account.id, id);
  }

  @Patch(':id')
  async change(@Req() request: FastifyRequest, @Param('id') id: string, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const { events, description, enabled } = parse(endpointChange, body);
    const change = {
      ...(events !== undefined && { eventTypes: events }),
      ...(description !== undefined && { description }),
    };
    if (!(await changeWebhookEndpoint(this.database, account.id, id, change))) throw unknown();
    if (enabled === true) await enableWebhookEndpoint(this.database, account.id, id);
    if (enabled === false) await endWebhookEndpoint(this.database, account.id, id, 'disabled');
    return this.#show(account.id, id);
  }

  @Delete(':id')
  async remove(@Req() request: FastifyRequest, @Param('id') id: string) {
    const account = await this.sessions.accountOf(request);
    if (!(await endWebhookEndpoint(this.database, account.id, id, 'deleted'))) throw unknown();
    return { id, deleted: true };
  }

  /** Sends a `webhook.test` event to this endpoint alone, whatever its filter. */
  @Post(':id/test')
  @HttpCode(202)
  async test(@Req() request: FastifyRequest, @Param('id') id: string) {
    const account = await this.sessions.ownerOf(request);
    const endpoint = await this.#show(account.id, id);
    if (!endpoint.enabled) throw refused('The endpoint is disabled. Enable it first.');
    await this.limitAttempts.count('webhook-test', account.id);
    const sent = await sendTestEvent(this.database, account.id, id);
    if (sent === null) throw unknown();
    return { delivery_id: sent.deliveryId, event_id: sent.eventId };
  }

  async #show(accountId: string, id: string) {
    const endpoint = await findWebhookEndpoint(this.database, accountId, id);
    if (endpoint === null) throw unknown();
    return endpointView(endpoint);
  }
}
