import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  acceptInvitation,
  type Database,
  findInvitation,
  type MailSecret,
  type OpenInvitation,
} from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { parseCode, refuseCode } from '../http/mail-code.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { BeginSession } from './begin-session.service.js';
import { hashPassword } from './password.js';
import { acceptance, confirmation, PEOPLE } from './people.description.js';

/** How a person joins an organisation by the link of an invitation. */
@Controller('account/invitations')
export class JoiningController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
    private readonly beginSession: BeginSession,
  ) {}

  /** What the link offers. It stays unused. */
  @Describe(PEOPLE.findInvitation)
  @Post('find')
  @HttpCode(200)
  async find(@Req() request: FastifyRequest, @Body() body: unknown) {
    const { email, role, organisation, isAddressProved } = await this.#open(request, parse(confirmation, body).token);
    return { email, role, organisation, needs_password: !isAddressProved };
  }

  /** A new person gets a session. A known one joins, and logs in as always. */
  @Describe(PEOPLE.acceptInvitation)
  @Post('accept')
  @HttpCode(200)
  async accept(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply, @Body() body: unknown) {
    const given = parse(acceptance, body);
    const { isAddressProved } = await this.#open(request, given.token);
    const joined = await this.#join(parseCode(given.token), given, isAddressProved);
    if (!isAddressProved) return this.beginSession.begin(request, reply, joined.personId, joined.accountId);
    return { joined: true, account: { id: joined.accountId } };
  }

  async #open(request: FastifyRequest, token: string): Promise<OpenInvitation> {
    await this.attemptLimiter.count('mail-code-network', networkOf(request.ip));
    const link = parseCode(token);
    return (await findInvitation(this.database, link)) ?? refuseCode(this.database, link, 'invitation');
  }

  async #join(link: MailSecret, given: z.output<typeof acceptance>, isAddressProved: boolean) {
    if (!isAddressProved && given.password === undefined) {
      throw new GatewayError('invalid_request', 'password: must be set, because the address has no login yet', {
        param: 'password',
      });
    }
    const person =
      isAddressProved || given.password === undefined
        ? null
        : {
            passwordHash: await hashPassword(given.password),
            name: given.name ?? '',
            locale: given.locale ?? 'en',
          };
    return (await acceptInvitation(this.database, link, person)) ?? refuseCode(this.database, link, 'invitation');
  }
}
