import { Describe } from '@gateway/api-description';
import type { AccountsConfig } from '@gateway/config';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, findPersonByEmail, registerPerson } from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { ACCOUNTS_CONFIG, DATABASE } from '../tokens.js';
import { BeginSession } from './begin-session.service.js';
import { hashPassword } from './password.js';
import { PEOPLE, registration } from './people.description.js';
import { PersonMails } from './person-mails.service.js';

/** Registers a person with an organisation of one. */
@Controller('account')
export class RegistrationController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG) private readonly config: Pick<AccountsConfig, 'registrationRequiresConfirmation'>,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly mails: PersonMails,
    private readonly beginSession: BeginSession,
  ) {}

  @Describe(PEOPLE.register)
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
    const opened = await this.#register(given, passwordHash);
    if (this.config.registrationRequiresConfirmation) {
      await this.#sendMail(given.email, opened !== null);
      reply.status(202);
      return { confirmation_required: true };
    }
    if (opened === null) {
      await this.attemptLimiter.count('register-taken-ip', network);
      throw new GatewayError('invalid_request', 'email: must be an address without an account', { param: 'email' });
    }
    await this.#sendMail(given.email, true);
    return this.beginSession.begin(request, reply, opened.personId, opened.accountId);
  }

  /** The owner of the address gets a mail in any case: the response must not disclose who is registered. */
  async #sendMail(email: string, isNew: boolean): Promise<void> {
    const person = await findPersonByEmail(this.database, email);
    if (person === null) return;
    if (isNew || person.confirmedAt === null) await this.mails.confirm(person);
    else await this.mails.registered(person);
  }

  #register(given: z.output<typeof registration>, passwordHash: string) {
    const zone = given.time_zone ?? 'UTC';
    return registerPerson(
      this.database,
      { email: given.email, passwordHash, name: given.name ?? '', locale: given.locale ?? 'en', timeZone: zone },
      { name: given.organisation ?? '', timeZone: zone },
    );
  }
}
