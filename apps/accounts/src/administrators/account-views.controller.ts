import { createHash, randomBytes } from 'node:crypto';
import { Describe } from '@gateway/api-description';
import { GatewayError, newViewId } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, findAccount, openAccountView } from '@gateway/postgres';
import { Body, Controller, Inject, Param, Post } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { CallerAdministrator } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { ADMINISTRATORS, newView, type OpenedView } from './administrators.description.js';

const VIEW_MS = 15 * 60 * 1_000;

/** Lets an administrator read what a viewer of the account sees. */
@Controller('admin/accounts/:id/views')
export class AccountViewsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Describe(ADMINISTRATORS.view)
  @AllowAdmin()
  @Post()
  async open(
    @Param('id') accountId: string,
    @Body() body: unknown,
    @CallerAdministrator() administrator: string,
  ): Promise<OpenedView> {
    const { reason } = parse(newView, body);
    if ((await findAccount(this.database, accountId)) === null) {
      throw new GatewayError('not_found', 'There is no such account.');
    }
    const token = `look_${randomBytes(32).toString('base64url')}`;
    const view = await openAccountView(this.database, {
      id: newViewId(),
      accountId,
      administrator,
      reason,
      tokenSha256: createHash('sha256').update(token).digest('hex'),
      expiresAt: new Date(Date.now() + VIEW_MS),
    });
    return {
      id: view.id,
      account_id: accountId,
      administrator,
      reason,
      expires_at: view.expiresAt.toISOString(),
      token,
    };
  }
}
