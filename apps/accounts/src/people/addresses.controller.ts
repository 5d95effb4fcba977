import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  changeEmail,
  confirmPerson,
  type Database,
  findPerson,
  type MailSecret,
  redeemMail,
  type UsedMail,
} from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AllowPerson } from '../guards/access.js';
import { CallerPerson, type PersonCaller, setProvedPerson } from '../guards/caller.js';
import { parseCode, refuseCode } from '../http/mail-code.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { verifyPassword } from './password.js';
import { confirmation, emailChange, PEOPLE } from './people.description.js';
import { PersonMails } from './person-mails.service.js';

/** Which address is whose: a link that is sent there proves it. */
@Controller('account')
export class AddressesController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly mails: PersonMails,
  ) {}

  @Describe(PEOPLE.sendConfirmation)
  @AllowPerson()
  @Post('person/confirmation')
  @HttpCode(202)
  async sendConfirmation(@CallerPerson() { person }: PersonCaller) {
    if (person.confirmedAt === null) await this.mails.confirm(person);
    return { sent: person.confirmedAt === null };
  }

  /** The address changes once the link is used. The session alone is not enough, because it may be the stolen one. */
  @Describe(PEOPLE.changeEmail)
  @AllowPerson()
  @Post('person/email')
  @HttpCode(202)
  async changeEmail(@CallerPerson() { person }: PersonCaller, @Body() body: unknown) {
    const given = parse(emailChange, body);
    await this.attemptLimiter.count('password', person.id);
    if (!(await verifyPassword(person.passwordHash, given.password))) {
      throw new GatewayError('invalid_request', 'password: must be your current password', { param: 'password' });
    }
    await this.mails.confirmEmail(person, given.email);
    return { sent: true };
  }

  @Describe(PEOPLE.confirm)
  @Post('confirmations')
  @HttpCode(200)
  async confirm(@Req() request: FastifyRequest, @Body() body: unknown) {
    const { token } = parse(confirmation, body);
    await this.attemptLimiter.count('mail-code-network', networkOf(request.ip));
    const link = parseCode(token);
    const used =
      (await redeemMail(this.database, link, ['confirm', 'confirm_email'])) ??
      (await refuseCode(this.database, link, 'person'));
    setProvedPerson(request, used.personId);
    if (used.kind === 'confirm') await confirmPerson(this.database, used.personId, used.recipient);
    else await this.#takeEmail(used, link);
    return { confirmed: true, email: used.recipient };
  }

  async #takeEmail({ personId, recipient }: UsedMail, link: MailSecret): Promise<void> {
    const person = (await findPerson(this.database, personId)) ?? (await refuseCode(this.database, link, 'person'));
    if (!(await changeEmail(this.database, personId, recipient))) {
      throw new GatewayError('invalid_request', 'token: must be for an address that no other person has', {
        param: 'token',
      });
    }
    if (person.email !== recipient) await this.mails.emailChanged(person, recipient);
  }
}
