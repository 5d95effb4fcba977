import { GatewayError, newApiKey } from '@gateway/contracts';
import {
  type ApiKeyRecord,
  changeKey,
  countKeys,
  createKey,
  type Database,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '@gateway/postgres';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DATABASE } from '../billing-doors.js';
import { ForgetKeys } from '../forget-keys.service.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { asChange, asSettings, keyChange, newKey, rotation } from './key-settings.js';
import { keyView } from './key-view.js';
import { makeKey } from './new-key.js';

const MOST_KEYS = 1_000;

function requireKnown<Found>(found: Found | null): Found {
  if (found === null) throw new GatewayError('not_found', 'There is no such key.');
  return found;
}

/** A key is shown once, when it is made. Every change reaches the edge at once. */
@Controller('account/keys')
export class KeysController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly forgetKeys: ForgetKeys,
    private readonly sessions: Sessions,
  ) {}

  @Post()
  @HttpCode(201)
  async create(@Req() request: FastifyRequest, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const given = parse(newKey, body);
    await this.#requireRoom(account.id);
    const { key, stored } = makeKey(account.id, newApiKey(given.test ? 'test' : 'live'));
    const settings = asSettings(given);
    return { key, ...keyView(await createKey(this.database, stored, settings)) };
  }

  @Get()
  async list(@Req() request: FastifyRequest) {
    const { id } = await this.sessions.accountOf(request);
    return { data: (await listKeys(this.database, id)).map(keyView), next_cursor: null };
  }

  @Patch(':id')
  async change(@Req() request: FastifyRequest, @Param('id') id: string, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const change = asChange(parse(keyChange, body));
    return keyView(await this.#forget(requireKnown(await changeKey(this.database, account.id, id, change))));
  }

  @Delete(':id')
  async remove(@Req() request: FastifyRequest, @Param('id') id: string) {
    const account = await this.sessions.accountOf(request);
    await this.#forget(requireKnown(await revokeKey(this.database, account.id, id, new Date())));
    return { id, deleted: true };
  }

  @Post(':id/rotate')
  @HttpCode(201)
  async rotate(@Req() request: FastifyRequest, @Param('id') id: string, @Body() body: unknown) {
    const account = await this.sessions.ownerOf(request);
    const { grace_seconds } = parse(rotation, body);
    await this.#requireRoom(account.id);
    const replaced = requireKnown(await findKey(this.database, account.id, id));
    if (replaced.expiresAt !== null && replaced.expiresAt.getTime() <= Date.now()) {
      const over = 'This key has expired: one in its place would have, too. Make a new key.';
      throw new GatewayError('invalid_request', over, { param: 'id' });
    }
    const { key, stored } = makeKey(account.id, newApiKey(replaced.isTest ? 'test' : 'live'));
    const oldExpiresAt = new Date(Date.now() + grace_seconds * 1_000);
    const { created, old } = requireKnown(await rotateKey(this.database, id, stored, oldExpiresAt));
    await this.#forget(old);
    return { key, ...keyView(created), replaces: id, old_expires_at: old.expiresAt?.toISOString() ?? null };
  }

  /** Keys are listed on one page. Two at the same moment may pass together: the limit is no promise. */
  async #requireRoom(accountId: string): Promise<void> {
    if ((await countKeys(this.database, accountId)) < MOST_KEYS) return;
    throw new GatewayError('invalid_request', `An account has at most ${MOST_KEYS} keys. Delete one first.`);
  }

  async #forget(key: ApiKeyRecord): Promise<ApiKeyRecord> {
    await this.forgetKeys.forget([key.sha256]);
    return key;
  }
}
