import type { BillingConfig } from '@gateway/config';
import { type Database, listWebhookSecrets, rotateSecret, secretSeal } from '@gateway/postgres';
import { Body, Controller, Get, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BILLING_CONFIG } from '../billing-config.js';
import { DATABASE } from '../billing-doors.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { secretRotation } from './endpoint-settings.js';
import { secretView } from './webhook-views.js';

/** What an account's webhooks are signed with. A secret is shown once, when it is made. */
@Controller('account/webhook-secret')
export class WebhookSecretController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(BILLING_CONFIG) private readonly config: Pick<BillingConfig, 'webhookSecretKeys'>,
    private readonly sessions: Sessions,
  ) {}

  /** Which secrets are live: the current one first, and the one before it while it lasts. */
  @Get()
  async list(@Req() request: FastifyRequest) {
    const { id } = await this.sessions.readerOf(request);
    return { data: (await listWebhookSecrets(this.database, id, new Date())).map(secretView), next_cursor: null };
  }

  /** For `grace_seconds` every delivery is signed with the old secret as well as with the new one. */
  @Post('rotate')
  @HttpCode(201)
  async rotate(@Req() request: FastifyRequest, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const { grace_seconds } = parse(secretRotation, body);
    const seal = secretSeal(this.config.webhookSecretKeys);
    const rotated = await rotateSecret(this.database, account.id, grace_seconds * 1_000, seal);
    return {
      secret: rotated.secret,
      created_at: rotated.createdAt.toISOString(),
      previous_expires_at: rotated.previousExpiresAt?.toISOString() ?? null,
    };
  }
}
