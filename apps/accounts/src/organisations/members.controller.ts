import { Describe } from '@gateway/api-description';
import { type CappedPeriod, GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  changeMemberCaps,
  changeMemberRole,
  countKeysOfMembers,
  type Database,
  findMember,
  listKeyHashes,
  listMembers,
  type MemberOfAccount,
  type MemberOutcome,
  readCappedPeriods,
  removeMember,
} from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Body, Controller, Delete, Get, Inject, Param, Patch, Query } from '@nestjs/common';
import type { z } from 'zod';
import { AllowActiveSession, AllowSession } from '../guards/access.js';
import { CallerSession, type SessionCaller } from '../guards/caller.js';
import { capViews } from '../http/caps.js';
import { DATABASE } from '../tokens.js';
import { MEMBERS, memberChange, type memberRecord, memberRemoval } from './organisations.description.js';

const unknown = () => new GatewayError('not_found', 'There is no such member.');

/** What is read for all members of an organisation at once. */
interface About {
  readonly capped: ReadonlyMap<string, readonly CappedPeriod[]>;
  readonly keys: ReadonlyMap<string, number>;
}

const view = (member: MemberOfAccount, { capped, keys }: About): z.output<typeof memberRecord> => ({
  id: member.id,
  person_id: member.personId,
  email: member.person.email,
  name: member.person.name,
  role: member.role,
  caps: capViews(capped.get(member.id)),
  open_keys: keys.get(member.id) ?? 0,
  created_at: member.createdAt.toISOString(),
});

function requireChanged(outcome: MemberOutcome): void {
  if (outcome === 'unknown') throw unknown();
  if (outcome === 'changed') return;
  const message = 'This member is the last owner. Make another member an owner first.';
  throw new GatewayError('invalid_request', message, { param: 'id' });
}

/** The people of an organisation. The edges see a change of caps and the end of keys at once. */
@Controller('account/members')
export class MembersController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  @Describe(MEMBERS.list)
  @AllowSession('viewer')
  @Get()
  async list(@CallerSession() { account }: SessionCaller) {
    const about = await this.#about(account.id);
    const members = await listMembers(this.database, account.id);
    return { data: members.map((member) => view(member, about)), next_cursor: null };
  }

  @Describe(MEMBERS.change)
  @AllowActiveSession('owner')
  @Patch(':id')
  async change(@CallerSession() { account }: SessionCaller, @Param('id') id: string, @Body() body: unknown) {
    const { role, caps, keys } = parse(memberChange, body);
    const key = { accountId: account.id, memberId: id };
    if (role !== undefined || keys !== 'keep') {
      // Before the change: the organisation may get the keys, and they are no keys of the member any more.
      const hashes = keys === 'keep' ? [] : await listKeyHashes(this.database, key);
      await this.keyCacheInvalidator.fence(hashes);
      requireChanged(await changeMemberRole(this.database, key, role ?? null, keys));
      await this.keyCacheInvalidator.invalidate(hashes);
    }
    if (caps !== undefined) {
      if (!(await changeMemberCaps(this.database, key, caps))) throw unknown();
      await this.keyCacheInvalidator.invalidate(await listKeyHashes(this.database, key));
    }
    const member = (await listMembers(this.database, account.id)).find((one) => one.id === id);
    if (member === undefined) throw unknown();
    return view(member, await this.#about(account.id));
  }

  /** A member may leave; only an owner removes others, and hands keys over: who leaves still knows them. */
  @Describe(MEMBERS.remove)
  @AllowSession('viewer')
  @Delete(':id')
  async remove(
    @CallerSession() { account, member }: SessionCaller,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<{ id: string; deleted: boolean }> {
    const { keys } = parse(memberRemoval, query);
    if ((await findMember(this.database, account.id, id)) === null) throw unknown();
    if (member.role !== 'owner' && member.id !== id) {
      throw new GatewayError('permission_denied', 'Only an owner removes other members.');
    }
    if (member.role !== 'owner' && keys === 'hand_over') {
      throw new GatewayError('permission_denied', 'Only an owner gives keys to the organisation.');
    }
    const key = { accountId: account.id, memberId: id };
    const hashes = await listKeyHashes(this.database, key);
    await this.keyCacheInvalidator.fence(hashes);
    requireChanged(await removeMember(this.database, key, keys));
    await this.keyCacheInvalidator.invalidate(hashes);
    return { id, deleted: true };
  }

  async #about(accountId: string): Promise<About> {
    const capped = await readCappedPeriods(this.database, accountId);
    return { capped, keys: await countKeysOfMembers(this.database, accountId) };
  }
}
