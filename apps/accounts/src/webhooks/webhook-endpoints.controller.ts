import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  type AccountRecord,
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
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { AllowAccountRead, AllowActiveSession, AllowSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { endpointChange, newEndpoint, requirePublicUrl } from './endpoint-settings.js';
import { endpointView } from './webhook-views.js';
import { WEBHOOKS } from './webhooks.description.js';

const MAX_ENDPOINTS = 20;

const unknown = () => new GatewayError('not_found', 'There is no such webhook endpoint.');
const refused = (message: string, param?: string) =>
  new GatewayError('invalid_request', message, param === undefined ? {} : { param });

/** The addresses that receive an account's events. */
@Controller('account/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG)
    private readonly config: Pick<AccountsConfig, 'webhookAllowInsecure' | 'webhookSecretKeys'>,
    private readonly attemptLimiter: AttemptLimiter,
  ) {}

  /** The response for an account's first endpoint contains the signing secret. No later response shows it. */
  @Describe(WEBHOOKS.create)
  @AllowActiveSession('developer')
  @Post()
  @HttpCode(201)
  async create(@CallerAccount() account: AccountRecord, @Body() body: unknown) {
    const { url, events, description, test } = parse(newEndpoint, body);
    const publicUrl = requirePublicUrl(url, { allowInsecure: this.config.webhookAllowInsecure });
    const endpoint = { url: publicUrl, eventTypes: events, description, isTest: test };
    const created = await createWebhookEndpoint(this.database, account.id, endpoint, MAX_ENDPOINTS);
    if (created.outcome === 'exists')
      throw refused('url: must be new, because another endpoint of this account has it', 'url');
    if (created.outcome === 'too_many') throw refused(`An account has at most ${MAX_ENDPOINTS} webhook endpoints.`);
    const secret = await createFirstSecret(this.database, account.id, secretSeal(this.config.webhookSecretKeys));
    return { ...(await this.#show(account.id, created.id)), ...(secret !== null && { secret }) };
  }

  @Describe(WEBHOOKS.list)
  @AllowAccountRead('viewer')
  @Get()
  async list(@CallerAccount() account: AccountRecord) {
    return { data: (await listWebhookEndpoints(this.database, account.id)).map(endpointView), next_cursor: null };
  }

  @Describe(WEBHOOKS.show)
  @AllowAccountRead('viewer')
  @Get(':id')
  async show(@CallerAccount() account: AccountRecord, @Param('id') id: string) {
    return this.#show(account.id, id);
  }

  @Describe(WEBHOOKS.change)
  @AllowActiveSession('developer')
  @Patch(':id')
  async change(@CallerAccount() account: AccountRecord, @Param('id') id: string, @Body() body: unknown) {
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

  @Describe(WEBHOOKS.remove)
  @AllowSession('developer')
  @Delete(':id')
  async remove(@CallerAccount() account: AccountRecord, @Param('id') id: string) {
    if (!(await endWebhookEndpoint(this.database, account.id, id, 'deleted'))) throw unknown();
    return { id, deleted: true };
  }

  /** Sends a `webhook.test` event to this endpoint only. The endpoint's event filter does not apply. */
  @Describe(WEBHOOKS.test)
  @AllowActiveSession('developer')
  @Post(':id/test')
  @HttpCode(202)
  async test(@CallerAccount() account: AccountRecord, @Param('id') id: string) {
    const endpoint = await this.#show(account.id, id);
    if (!endpoint.enabled) throw refused('The endpoint is disabled. Enable it first.');
    await this.attemptLimiter.count('webhook-test', account.id);
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
