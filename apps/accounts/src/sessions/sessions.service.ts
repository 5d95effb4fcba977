import { createHash, randomBytes } from 'node:crypto';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError, hashApiKey, isWellFormedApiKey, type KeyRecord } from '@gateway/contracts';
import { parseBearerToken } from '@gateway/json-service';
import {
  type AccountRecord,
  closeSession,
  type Database,
  findAccount,
  findKeyBySha256,
  findSessionAccount,
  openSession,
} from '@gateway/postgres';
import { isAllowedFrom } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { type SessionCookie, sessionCookie } from './session-cookie.js';

export const SESSION_MS = 7 * 24 * 60 * 60 * 1_000;

const TOKEN = /^sess_[\w-]{43}$/;
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

const refused = () => new GatewayError('invalid_api_key', 'Log in first: the session token is missing or invalid.');

/** An API key that is in force, and its account. */
export interface KeyHolder {
  readonly account: AccountRecord;
  readonly key: KeyRecord;
}

export interface OpenSession {
  readonly account: AccountRecord;
  readonly tokenSha256: string;
}

/** Opens, finds and closes the sessions of people. A token has 256 random bits; the database stores only its hash. */
@Injectable()
export class Sessions {
  readonly cookie: SessionCookie;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) config: Pick<AccountsConfig, 'nodeEnv'>,
  ) {
    this.cookie = sessionCookie(config);
  }

  /** Returns the token, which no later call can read. */
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

  /** The session of the request's cookie or bearer token. Throws a 401 without one. */
  async requireSession(request: FastifyRequest): Promise<OpenSession> {
    const token = this.#tokenOf(request);
    if (token === undefined || !TOKEN.test(token)) throw refused();
    const tokenSha256 = hashToken(token);
    const account = await findSessionAccount(this.database, tokenSha256, new Date());
    if (account === null) throw refused();
    return { account, tokenSha256 };
  }

  /**
   * Null: the request has no API key. Throws a 401 for a key that is unknown, revoked or expired, and a 403 for an address
   * that the key does not allow.
   */
  async findKeyHolder(request: FastifyRequest): Promise<KeyHolder | null> {
    const token = parseBearerToken(request.headers.authorization);
    if (token === undefined || !token.startsWith('sk-')) return null;
    const key = isWellFormedApiKey(token) ? await findKeyBySha256(this.database, hashApiKey(token)) : null;
    const isExpired = key?.expiresAtMs != null && key.expiresAtMs <= Date.now();
    const account = key === null || key.isRevoked || isExpired ? null : await findAccount(this.database, key.accountId);
    if (key === null || account === null) throw refused();
    if (key.allowedIps !== null && !isAllowedFrom(request.ip, key.allowedIps)) {
      throw new GatewayError('permission_denied', 'This key may not be used from your address.');
    }
    return { account, key };
  }

  #tokenOf(request: FastifyRequest): string | undefined {
    return parseBearerToken(request.headers.authorization) ?? request.cookies[this.cookie.name];
  }
}
