import { createHash, randomBytes } from 'node:crypto';
import { Describe } from '@gateway/api-description';
import { GatewayError, newViewId } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, findAccount, openAccountView } from '@gateway/postgres';
import { Body, Controller, Delete, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllowAdmin } from '../guards/access.js';
import { CallerAdministrator } from '../guards/caller.js';
import { Sessions } from '../sessions/sessions.service.js';
import { DATABASE } from '../tokens.js';
import { ADMINISTRATORS, type EndedView, newView, type OpenedView } from './administrators.description.js';

const VIEW_MS = 15 * 60 * 1_000;

/** Lets an administrator read what a viewer of the account sees. */
@Controller('admin')
export class AccountViewsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  @Describe(ADMINISTRATORS.view)
  @AllowAdmin()
  @Post('accounts/:id/views')
  async open(
    @Param('id') accountId: string,
    @Body() body: unknown,
    @CallerAdministrator() administrator: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
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
    this.sessions.beginView(request, reply, token, VIEW_MS);
    return {
      id: view.id,
      account_id: accountId,
      administrator,
      reason,
      expires_at: view.expiresAt.toISOString(),
      token,
    };
  }

  /** Ends the view of the browser's cookie at once. Without one it changes nothing. */
  @Describe(ADMINISTRATORS.endView)
  @AllowAdmin()
  @Delete('account-views/current')
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EndedView> {
    const view = await this.sessions.endView(request, reply);
    return { id: view?.id ?? null, account: view === null ? null : { id: view.accountId } };
  }
}
