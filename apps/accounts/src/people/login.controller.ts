import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, findPersonByEmail, type PersonRecord } from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { KnownNetworks } from '../sessions/known-networks.service.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { BeginSession } from './begin-session.service.js';
import { verifyPassword } from './password.js';
import { credentials, PEOPLE } from './people.description.js';
import { PersonMails } from './person-mails.service.js';

@Controller('account')
export class LoginController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'registrationRequiresConfirmation'>,
    private readonly mails: PersonMails,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly knownNetworks: KnownNetworks,
    private readonly beginSession: BeginSession,
  ) {}

  @Describe(PEOPLE.login)
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
    const person = await findPersonByEmail(this.database, given.email);
    const isCorrect = await verifyPassword(person?.passwordHash ?? null, given.password);
    if (person === null || !isCorrect) throw new GatewayError('invalid_api_key', 'The email or the password is wrong.');
    await this.attemptLimiter.reset('login-pair', pair);
    await this.#requireConfirmed(person);
    return this.beginSession.begin(request, reply, person.id, given.account_id);
  }

  /** Sends the mail again: the first one may be lost. Only the right password gets here. */
  async #requireConfirmed(person: PersonRecord): Promise<void> {
    if (person.confirmedAt !== null || !this.config.registrationRequiresConfirmation) return;
    await this.mails.confirm(person);
    throw new GatewayError('permission_denied', 'Confirm your address first: we have sent you another mail.');
  }
}
