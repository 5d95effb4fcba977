import { Describe } from '@gateway/api-description';
import type { CappedPeriod } from '@gateway/contracts';
import { type Database, listMembers, type MemberOfAccount, readCappedPeriods } from '@gateway/postgres';
import { Controller, Get, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { AllowSession } from '../guards/access.js';
import { CallerSession, type SessionCaller } from '../guards/caller.js';
import { capViews } from '../http/caps.js';
import { DATABASE } from '../tokens.js';
import { MEMBERS, type memberRecord } from './organisations.description.js';

const view = (
  member: MemberOfAccount,
  capped: ReadonlyMap<string, readonly CappedPeriod[]>,
): z.output<typeof memberRecord> => ({
  id: member.id,
  person_id: member.personId,
  email: member.person.email,
  name: member.person.name,
  role: member.role,
  caps: capViews(capped.get(member.id)),
  created_at: member.createdAt.toISOString(),
});

/** The people of an organisation. */
@Controller('account/members')
export class MembersController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Describe(MEMBERS.list)
  @AllowSession('viewer')
  @Get()
  async list(@CallerSession() { account }: SessionCaller) {
    const capped = await readCappedPeriods(this.database, account.id);
    const members = await listMembers(this.database, account.id);
    return { data: members.map((member) => view(member, capped)), next_cursor: null };
  }
}
