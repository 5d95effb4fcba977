import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  createInvitation,
  type Database,
  type InvitationRecord,
  listInvitations,
  listMembers,
  resendInvitation,
  revokeInvitation,
} from '@gateway/postgres';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import { AllowActiveSession, AllowSession } from '../guards/access.js';
import { CallerSession, type SessionCaller } from '../guards/caller.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { INVITATIONS, type invitationRecord, newInvitation } from './organisations.description.js';

const LASTS_MS = 7 * 24 * 60 * 60 * 1_000;

const unknown = () => new GatewayError('not_found', 'There is no such invitation, or it is accepted or revoked.');

const view = (invitation: InvitationRecord): z.output<typeof invitationRecord> => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  state: invitation.state,
  invited_by: invitation.invitedBy,
  sent_at: invitation.sentAt?.toISOString() ?? null,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});

/** Who is asked to join an organisation. */
@Controller('account/invitations')
export class InvitationsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
  ) {}

  @Describe(INVITATIONS.create)
  @AllowActiveSession('owner')
  @Post()
  @HttpCode(201)
  async create(@CallerSession() { account, person }: SessionCaller, @Body() body: unknown) {
    const { email, role, locale } = parse(newInvitation, body);
    await this.#countMail(account.id, email);
    const members = await listMembers(this.database, account.id);
    if (members.some((member) => member.person.email === email)) {
      throw new GatewayError('invalid_request', 'email: must not be the address of a member', { param: 'email' });
    }
    const details = { inviter: person.name || person.email, organisation: account.name || account.email, role };
    const id = await createInvitation(this.database, {
      ...{ accountId: account.id, invitedBy: person.id, email, role, details },
      locale: locale ?? person.locale,
      expiresAt: new Date(Date.now() + LASTS_MS),
    });
    if (id === null) throw new GatewayError('permission_denied', 'You are no owner of this organisation any more.');
    return view(await this.#find(account.id, id));
  }

  @Describe(INVITATIONS.list)
  @AllowSession('owner')
  @Get()
  async list(@CallerSession() { account }: SessionCaller) {
    const invitations = await listInvitations(this.database, account.id, new Date());
    return { data: invitations.map(view), next_cursor: null };
  }

  /** Sends another mail. The links of the former ones stay good. */
  @Describe(INVITATIONS.resend)
  @AllowActiveSession('owner')
  @Post(':id/resend')
  @HttpCode(200)
  async resend(@CallerSession() { account }: SessionCaller, @Param('id') id: string) {
    const { email } = await this.#find(account.id, id);
    await this.#countMail(account.id, email);
    const expiresAt = new Date(Date.now() + LASTS_MS);
    if (!(await resendInvitation(this.database, account.id, id, expiresAt))) throw unknown();
    return view(await this.#find(account.id, id));
  }

  @Describe(INVITATIONS.revoke)
  @AllowSession('owner')
  @Delete(':id')
  async revoke(@CallerSession() { account }: SessionCaller, @Param('id') id: string) {
    if (!(await revokeInvitation(this.database, account.id, id))) throw unknown();
    return { id, deleted: true };
  }

  /** Also by the receiving address: a stranger may register many organisations, and each one may invite. */
  async #countMail(accountId: string, email: string): Promise<void> {
    await this.attemptLimiter.count('invitation', accountId);
    await this.attemptLimiter.count('invitation-address', email);
  }

  async #find(accountId: string, id: string): Promise<InvitationRecord> {
    const found = (await listInvitations(this.database, accountId, new Date())).find((one) => one.id === id);
    if (found === undefined) throw unknown();
    return found;
  }
}
