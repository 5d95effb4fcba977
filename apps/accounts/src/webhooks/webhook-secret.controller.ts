import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { parse } from '@gateway/json-service';
import { type AccountRecord, type Database, listWebhookSecrets, rotateSecret, secretSeal } from '@gateway/postgres';
import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { AllowAccountRead, AllowActiveSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { secretRotation } from './endpoint-settings.js';
import { secretView } from './webhook-views.js';
import { WEBHOOKS } from './webhooks.description.js';

/** The secrets that sign an account's webhooks. The response that creates a secret is the only one that shows it. */
@Controller('account/webhook-secret')
export class WebhookSecretController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'webhookSecretKeys'>,
  ) {}

  /** The current secret first, then its predecessor during the grace period. It shows ids and times only. */
  @Describe(WEBHOOKS.secrets)
  @AllowAccountRead('developer')
  @Get()
  async list(@CallerAccount() account: AccountRecord) {
    return {
      data: (await listWebhookSecrets(this.database, account.id, new Date())).map(secretView),
      next_cursor: null,
    };
  }

  /** For `grace_seconds` both secrets sign each delivery. */
  @Describe(WEBHOOKS.rotateSecret)
  @AllowActiveSession('developer')
  @Post('rotate')
  @HttpCode(201)
  async rotate(@CallerAccount() account: AccountRecord, @Body() body: unknown) {
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
