import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError, newApiKey } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  type ApiKeyRecord,
  changeKey,
  createKey,
  type Database,
  findKey,
  listHashesBelow,
  listHashesOfLine,
  listKeys,
  readCappedPeriods,
  rotateKey,
} from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import type { z } from 'zod';
import { AllowActiveSession, AllowSession } from '../guards/access.js';
import { CallerSession, type SessionCaller } from '../guards/caller.js';
import { managedBy } from '../http/managed-keys.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { endKey } from './end-key.js';
import { KeyOwners } from './key-owners.service.js';
import { requireKeyRoom } from './key-room.js';
import { keyChange, newKey, rotation, toKeyChange, toKeySettings } from './key-settings.js';
import { keyView } from './key-view.js';
import { KEYS } from './keys.description.js';
import { makeKey } from './new-key.js';
import { unknownKey } from './unknown-key.js';

function requireKnown<Found>(found: Found | null): Found {
  if (found === null) throw unknownKey();
  return found;
}

/** Throws for a change that would break what a parent and its children have agreed. */
function requireChangeable(key: ApiKeyRecord, given: Omit<z.output<typeof keyChange>, 'member_id'>): void {
  const fixed = Object.keys(given).find((field) => field !== 'name' && field !== 'keep_contents');
  if (key.parentId !== null && fixed !== undefined) {
    const message = `${fixed}: a child key keeps what it was made with, except its name and what it keeps`;
    throw new GatewayError('invalid_request', message, { param: fixed });
  }
  if (key.reservedNanoUsd > 0n && given.caps !== undefined && given.caps.length > 0) {
    const message = 'caps: a key with open children cannot have caps by period, which they could not share';
    throw new GatewayError('invalid_request', message, { param: 'caps' });
  }
}

/**
 * Only the response that creates a key shows it. The edges see every change at once. An owner manages all keys of the
 * organisation, a developer those of his or her own.
 */
@Controller('account/keys')
export class KeysController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
    private readonly owners: KeyOwners,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'contentKeys'>,
  ) {}

  @Describe(KEYS.create)
  @AllowActiveSession('developer')
  @Post()
  @HttpCode(201)
  async create(@CallerSession() caller: SessionCaller, @Body() body: unknown) {
    const { member_id, ...given } = parse(newKey, body);
    this.#checkContents(given);
    const memberId = await this.owners.ofNewKey(caller, member_id);
    await requireKeyRoom(this.database, caller.account.id);
    const { key, stored } = makeKey(caller.account.id, newApiKey(given.test ? 'test' : 'live'));
    const settings = toKeySettings(given);
    return { key, ...(await this.#view(await createKey(this.database, { ...stored, memberId }, settings))) };
  }

  @Describe(KEYS.list)
  @AllowSession('developer')
  @Get()
  async list(@CallerSession() caller: SessionCaller) {
    const capped = await readCappedPeriods(this.database, caller.account.id);
    const keys = await listKeys(this.database, managedBy(caller));
    return { data: keys.map((key) => keyView(key, capped)), next_cursor: null };
  }

  @Describe(KEYS.change)
  @AllowActiveSession('developer')
  @Patch(':id')
  async change(@CallerSession() caller: SessionCaller, @Param('id') id: string, @Body() body: unknown) {
    const { member_id, ...given } = parse(keyChange, body);
    this.#checkContents(given);
    const owner = managedBy(caller);
    requireChangeable(requireKnown(await findKey(this.database, owner, id)), given);
    const memberId = await this.owners.ofChangedKey(caller, member_id);
    const change = { ...toKeyChange(given), ...(memberId !== undefined && { memberId }) };
    await this.keyCacheInvalidator.fence(await listHashesOfLine(this.database, owner, id));
    const changed = await changeKey(this.database, owner, id, change);
    // A child may have been made since the first check.
    if (changed === null) requireChangeable(requireKnown(await findKey(this.database, owner, id)), given);
    const { hashes, ...key } = requireKnown(changed);
    await this.keyCacheInvalidator.invalidate(hashes);
    return this.#view(key);
  }

  @Describe(KEYS.remove)
  @AllowSession('developer')
  @Delete(':id')
  async remove(@CallerSession() caller: SessionCaller, @Param('id') id: string) {
    await endKey(this.database, this.keyCacheInvalidator, managedBy(caller), id);
    return { id, deleted: true };
  }

  @Describe(KEYS.rotate)
  @AllowActiveSession('developer')
  @Post(':id/rotate')
  @HttpCode(201)
  async rotate(@CallerSession() caller: SessionCaller, @Param('id') id: string, @Body() body: unknown) {
    const { grace_seconds } = parse(rotation, body);
    await requireKeyRoom(this.database, caller.account.id);
    const replaced = requireKnown(await findKey(this.database, managedBy(caller), id));
    if (replaced.parentId !== null) {
      throw new GatewayError('invalid_request', 'A child key cannot be replaced. Make a new child.', { param: 'id' });
    }
    if (replaced.expiresAt !== null && replaced.expiresAt.getTime() <= Date.now()) {
      const message = 'The key has expired, and its replacement would be expired too. Create a new key.';
      throw new GatewayError('invalid_request', message, { param: 'id' });
    }
    const { key, stored } = makeKey(caller.account.id, newApiKey(replaced.isTest ? 'test' : 'live'));
    const oldExpiresAt = new Date(Date.now() + grace_seconds * 1_000);
    await this.keyCacheInvalidator.fence([replaced.sha256]);
    const { created, old } = requireKnown(await rotateKey(this.database, id, stored, oldExpiresAt));
    const below = await listHashesBelow(this.database, caller.account.id, id);
    await this.keyCacheInvalidator.invalidate([old.sha256, ...below]);
    return { key, ...(await this.#view(created)), replaces: id, old_expires_at: old.expiresAt?.toISOString() ?? null };
  }

  #checkContents({ keep_contents: isAsked }: { readonly keep_contents?: boolean | undefined }): void {
    if (isAsked !== true || this.config.contentKeys.length > 0) return;
    const message = 'keep_contents: this deployment keeps no prompts and answers';
    throw new GatewayError('invalid_request', message, { param: 'keep_contents' });
  }

  async #view(key: ApiKeyRecord) {
    return keyView(key, await readCappedPeriods(this.database, key.accountId));
  }
}
