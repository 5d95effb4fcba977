import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { changePassword, confirmPerson, type Database, findPersonByEmail, redeemMail } from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { setProvedPerson } from '../guards/caller.js';
import { parseCode, refuseCode } from '../http/mail-code.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { hashPassword } from './password.js';
import { newPasswordByMail, PEOPLE, passwordReset } from './people.description.js';
import { PersonMails } from './person-mails.service.js';

/** A new password for a person who has forgotten it. */
@Controller('account/password-resets')
export class PasswordResetsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly mails: PersonMails,
  ) {}

  /** The response is the same for an unknown address: it must not disclose who is registered. */
  @Describe(PEOPLE.requestReset)
  @Post()
  @HttpCode(202)
  async request(@Req() request: FastifyRequest, @Body() body: unknown) {
    const { email } = parse(passwordReset, body);
    await this.attemptLimiter.count('mail-network', networkOf(request.ip));
    await this.attemptLimiter.count('mail-address', email);
    const person = await findPersonByEmail(this.database, email);
    if (person !== null) await this.mails.reset(person);
    return { sent: true };
  }

  /** Ends every session, and every other link that could change the login. The link also proves the address. */
  @Describe(PEOPLE.completeReset)
  @Post('complete')
  @HttpCode(200)
  async complete(@Req() request: FastifyRequest, @Body() body: unknown) {
    const { token, new_password } = parse(newPasswordByMail, body);
    await this.attemptLimiter.count('mail-code-network', networkOf(request.ip));
    const passwordHash = await hashPassword(new_password);
    const link = parseCode(token);
    const used =
      (await redeemMail(this.database, link, ['reset'])) ?? (await refuseCode(this.database, link, 'person'));
    setProvedPerson(request, used.personId);
    await changePassword(this.database, used.personId, passwordHash, null);
    await confirmPerson(this.database, used.personId, used.recipient);
    return { changed: true };
  }
}
