import { createHash, randomBytes } from 'node:crypto';
import type { BillingConfig } from '@gateway/config';
import { GatewayError, hashApiKey, isWellFormedApiKey, type KeyRecord } from '@gateway/contracts';
import {
  type AccountRecord,
  closeSession,
  type Database,
  findAccount,
  findKeyBySha256,
  findSessionAccount,
  openSession,
} from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { bearerOf } from './bearer-of.js';
import { BILLING_CONFIG } from './billing-config.js';
import { DATABASE } from './billing-doors.js';
import { type SessionCookie, sessionCookie } from './session-cookie.js';

export const SESSION_MS = 7 * 24 * 60 * 60 * 1_000;

const TOKEN = /^sess_[\w-]{43}$/;
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

const refused = () => new GatewayError('invalid_api_key', 'Log in first: the session token is missing or not valid.');

/** Somebody who may read: a person who is logged in, or a program with a key. */
export interface Asker {
  readonly account: AccountRecord;
  readonly key: KeyRecord | undefined;
}

/** Who is asking. A token is 256 random bits, and only its hash is stored. */
@Injectable()
export class Sessions {
  readonly cookie: SessionCookie;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(BILLING_CONFIG) config: Pick<BillingConfig, 'nodeEnv'>,
  ) {
    this.cookie = sessionCookie(config);
  }

  async open(accountId: string): Promise<string> {
    const token = `sess_${randomBytes(32).toString('base64url')}`;
    const expiresAt = new Date(Date.now() + SESSION_MS);
    await openSession(this.database, { tokenSha256: hashToken(token), accountId, expiresAt });
    return token;
  }

  async close(request: FastifyRequest): Promise<void> {
    const token = this.#tokenOf(request);
    if (token !== undefined) await closeSession(this.database, hashToken(token));
  }

  /** The session that is open, and whose it is. */
  async openOf(request: FastifyRequest): Promise<{ readonly account: AccountRecord; readonly tokenSha256: string }> {
    const token = this.#tokenOf(request);
    if (token === undefined || !TOKEN.test(token)) throw refused();
    const tokenSha256 = hashToken(token);
    const account = await findSessionAccount(this.database, tokenSha256, new Date());
    if (account === null) throw refused();
    return { account, tokenSha256 };
  }

  /** The account that is logged in. */
  async accountOf(request: FastifyRequest): Promise<AccountRecord> {
    return (await this.openOf(request)).account;
  }

  /** The account that is logged in, to change something: a suspended one can only look and delete. */
  async ownerOf(request: FastifyRequest): Promise<AccountRecord> {
    const account = await this.accountOf(request);
    if (account.suspendedAt !== null) throw new GatewayError('permission_denied', 'This account is suspended.');
    return account;
  }

  /** The account that is logged in, or whose API key is shown: enough to read, not to change anything. */
  async readerOf(request: FastifyRequest): Promise<AccountRecord> {
    return (await this.askerOf(request)).account;
  }

  /** The same, with the key if it is one. */
  async askerOf(request: FastifyRequest): Promise<Asker> {
    const token = bearerOf(request.headers.authorization);
    if (token === undefined || !token.startsWith('sk-')) {
      return { account: await this.accountOf(request), key: undefined };
    }
    const key = isWellFormedApiKey(token) ? await findKeyBySha256(this.database, hashApiKey(token)) : null;
    const isOver = key?.expiresAtMs != null && key.expiresAtMs <= Date.now();
    const account = key === null || key.isRevoked || isOver ? null : await findAccount(this.database, key.accountId);
    if (key === null || account === null) throw refused();
    return { account, key };
  }

  #tokenOf(request: FastifyRequest): string | undefined {
    return bearerOf(request.headers.authorization) ?? request.cookies[this.cookie.name];
  }
}
