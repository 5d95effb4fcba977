import { createHash, randomBytes } from 'node:crypto';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError, hashApiKey, isWellFormedApiKey, type KeyRecord, type MemberRole } from '@gateway/contracts';
import {
  type AccountRecord,
  type AccountView,
  closeSession,
  type Database,
  endAccountView,
  type FoundSession,
  findAccount,
  findAccountView,
  findKeyBySha256,
  findRoleOfKey,
  findSession,
  type MemberRecord,
  openSession,
  type PersonRecord,
  touchSession,
} from '@gateway/postgres';
import { isAllowedFrom, parseBearerToken } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { type SessionCookie, sessionCookie, viewCookie } from './session-cookie.js';

const SESSION_MS = 7 * 24 * 60 * 60 * 1_000;
/** The time of last use is this exact. */
const SEEN_EVERY_MS = 60_000;
const MAX_USER_AGENT = 300;

const TOKEN = /^sess_[\w-]{43}$/;
const VIEW_TOKEN = /^look_[\w-]{43}$/;
const READING_METHODS = ['GET', 'HEAD'];
/** An administrator who reads an account is no person of it. */
const NO_PERSON = { email: '', passwordHash: null, locale: 'en', timeZone: 'UTC', confirmedAt: null };
const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

const onlyReads = () =>
  new GatewayError('permission_denied', 'An administrator only reads the account. Nothing can be changed.');
const refused = () => new GatewayError('invalid_api_key', 'Log in first: the session token is missing or invalid.');

/** An API key that is in force, and its account. */
export interface KeyHolder {
  readonly account: AccountRecord;
  readonly key: KeyRecord;
  /** Of the member whose key it is; null: the key is the organisation's own. */
  readonly role: MemberRole | null;
}

/** The session of a person, with the organisation that it has chosen; null: none, or the person has left it. */
export interface OpenSession {
  readonly sessionId: string;
  readonly tokenSha256: string;
  readonly person: PersonRecord;
  readonly organisation: FoundSession['organisation'];
}

/** The session of a person as a member of an organisation. */
export interface MemberSession extends Omit<OpenSession, 'organisation'> {
  readonly account: AccountRecord;
  readonly member: MemberRecord;
  /** The administrator who reads the account as its viewer; undefined: a member. */
  readonly viewedBy?: string;
}

/** Opens, finds and closes the sessions of people. A token has 256 random bits; the database stores only its hash. */
@Injectable()
export class Sessions {
  readonly cookie: SessionCookie;
  readonly #viewCookie: SessionCookie;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) config: Pick<AccountsConfig, 'nodeEnv'>,
  ) {
    this.cookie = sessionCookie(config);
    this.#viewCookie = viewCookie(config);
  }

  /** Opens a session for the client of the request. Returns the token, which no later call can read, and sets the cookie. */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    chosen: { readonly personId: string; readonly accountId: string | null },
  ): Promise<string> {
    const token = `sess_${randomBytes(32).toString('base64url')}`;
    await openSession(this.database, {
      ...chosen,
      tokenSha256: hashToken(token),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
      ip: request.ip,
      expiresAt: new Date(Date.now() + SESSION_MS),
    });
    reply.setCookie(this.cookie.name, token, { ...this.cookie.options, maxAge: SESSION_MS / 1_000 });
    return token;
  }

  async close(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const token = this.#tokenOf(request);
    if (token !== undefined) await closeSession(this.database, hashToken(token));
    reply.clearCookie(this.cookie.name, this.cookie.options);
    reply.clearCookie(this.#viewCookie.name, this.#viewCookie.options);
  }

  /** Lets the browser of an administrator read an account. A program keeps the token itself. */
  beginView(request: FastifyRequest, reply: FastifyReply, token: string, maxAgeMs: number): void {
    if (request.headers.authorization !== undefined) return;
    reply.setCookie(this.#viewCookie.name, token, { ...this.#viewCookie.options, maxAge: maxAgeMs / 1_000 });
  }

  /** Ends the view of the request's cookie. Null: it has none. */
  async endView(request: FastifyRequest, reply: FastifyReply): Promise<AccountView | null> {
    reply.clearCookie(this.#viewCookie.name, this.#viewCookie.options);
    const token = request.cookies[this.#viewCookie.name];
    return token === undefined ? null : endAccountView(this.database, hashToken(token), new Date());
  }

  /** The view of an account that the browser has open; null: none, or it has ended. */
  async findView(request: FastifyRequest) {
    const token = this.#viewTokenOf(request);
    return token === undefined ? null : findAccountView(this.database, hashToken(token), new Date());
  }

  /** Throws a 403 for a change by a browser that reads an account: nothing can be changed meanwhile. */
  refuseChangeInView(request: FastifyRequest): void {
    if (this.#viewTokenOf(request) !== undefined && !READING_METHODS.includes(request.method)) throw onlyReads();
  }

  /** The session of the request's cookie or bearer token. Throws a 401 without one. */
  async requireSession(request: FastifyRequest): Promise<OpenSession> {
    const token = this.#tokenOf(request);
    if (token === undefined || !TOKEN.test(token)) throw refused();
    const tokenSha256 = hashToken(token);
    const session = await findSession(this.database, tokenSha256, new Date());
    if (session === null) throw refused();
    const { id: sessionId, lastSeenAt, person, organisation } = session;
    const seenBefore = new Date(Date.now() - SEEN_EVERY_MS);
    if (lastSeenAt < seenBefore) await touchSession(this.database, sessionId, request.ip, seenBefore);
    return { sessionId, tokenSha256, person, organisation };
  }

  /** The same for a route of an organisation. Throws a 403 for a person who belongs to none with this session. */
  async requireMember(request: FastifyRequest): Promise<MemberSession> {
    const viewToken = this.#viewTokenOf(request);
    if (viewToken !== undefined) return this.#requireView(request, hashToken(viewToken));
    const { organisation, ...session } = await this.requireSession(request);
    if (organisation !== null) return { ...session, ...organisation };
    throw new GatewayError(
      'permission_denied',
      'This session has no organisation. Choose one with POST /account/organisations/{id}/choose, or create one.',
    );
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
    return { account, key, role: await findRoleOfKey(this.database, key.keyId) };
  }

  /** An administrator reads the account with the rights of a viewer, and changes nothing. */
  async #requireView({ method }: FastifyRequest, tokenSha256: string): Promise<MemberSession> {
    const view = await findAccountView(this.database, tokenSha256, new Date());
    if (view === null) throw refused();
    if (!READING_METHODS.includes(method)) throw onlyReads();
    const { id, account, administrator, createdAt } = view;
    return {
      sessionId: id,
      tokenSha256,
      account,
      viewedBy: administrator,
      member: { id, accountId: account.id, personId: id, role: 'viewer', createdAt },
      person: { ...NO_PERSON, id, name: administrator, createdAt },
    };
  }

  /** A bearer token goes before the cookies. */
  #viewTokenOf({ headers, cookies }: FastifyRequest): string | undefined {
    const { authorization } = headers;
    const token = authorization === undefined ? cookies[this.#viewCookie.name] : parseBearerToken(authorization);
    return token !== undefined && VIEW_TOKEN.test(token) ? token : undefined;
  }

  #tokenOf(request: FastifyRequest): string | undefined {
    return parseBearerToken(request.headers.authorization) ?? request.cookies[this.cookie.name];
  }
}
