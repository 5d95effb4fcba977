import { Describe } from '@gateway/api-description';
import { GatewayError, newAccountId } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type AccountRecord, createAccount, type Database, findAccountByEmail } from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { KnownNetworks } from '../sessions/known-networks.service.js';
import { SESSION_MS, Sessions } from '../sessions/sessions.service.js';
import { DATABASE } from '../tokens.js';
import { accountView } from './account-view.js';
import { ACCOUNTS, credentials, registration } from './accounts.description.js';
import { hashPassword, verifyPassword } from './password.js';

@Controller('account')
export class AccountsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly knownNetworks: KnownNetworks,
  ) {}

  @Describe(ACCOUNTS.register)
  @Post('register')
  @HttpCode(201)
  async register(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: unknown,
  ) {
    const given = parse(registration, body);
    const network = networkOf(request.ip);
    await this.attemptLimiter.count('register-ip', network);
    const passwordHash = await hashPassword(given.password);
    const account = await createAccount(this.database, { id: newAccountId(), email: given.email, passwordHash });
    if (account === null) {
      await this.attemptLimiter.count('register-taken-ip', network);
      throw new GatewayError('invalid_request', 'email: must be an address without an account', { param: 'email' });
    }
    return this.#openSession(reply, account, network);
  }

  @Describe(ACCOUNTS.login)
  @Post('login')
  @HttpCode(200)
  async login(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply, @Body() body: unknown) {
    const given = parse(credentials, body);
    const network = networkOf(request.ip);
    const pair = `${given.email} ${network}`;
    await this.attemptLimiter.count('login-pair', pair);
    await this.attemptLimiter.count('login-ip', network);
    // Guesses from elsewhere must not lock a person out of a network that this person uses.
    if (!(await this.knownNetworks.isKnown(given.email, network)))
      await this.attemptLimiter.count('login-email', given.email);
    const account = await findAccountByEmail(this.database, given.email);
    const isCorrect = await verifyPassword(account?.passwordHash ?? null, given.password);
    if (account === null || !isCorrect)
      throw new GatewayError('invalid_api_key', 'The email or the password is wrong.');
    await this.attemptLimiter.reset('login-pair', pair);
    return this.#openSession(reply, account, network);
  }

  @Describe(ACCOUNTS.logout)
  @Post('logout')
  @HttpCode(200)
  async logout(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    await this.sessions.close(request);
    const { name, options } = this.sessions.cookie;
    reply.clearCookie(name, options);
    return { logged_out: true };
  }

  async #openSession(reply: FastifyReply, account: AccountRecord, network: string) {
    await this.knownNetworks.remember(account.email, network);
    const token = await this.sessions.open(account.id);
    const { name, options } = this.sessions.cookie;
    reply.setCookie(name, token, { ...options, maxAge: SESSION_MS / 1_000 });
    return { account: accountView(account), token };
  }
}
