import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, registerPerson } from '@gateway/postgres';
import { networkOf } from '@gateway/serving';
import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { BeginSession } from './begin-session.service.js';
import { hashPassword } from './password.js';
import { PEOPLE, registration } from './people.description.js';

/** Registers a person with an organisation of one. */
@Controller('account')
export class RegistrationController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
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
    if (opened === null) {
      await this.attemptLimiter.count('register-taken-ip', network);
      throw new GatewayError('invalid_request', 'email: must be an address without an account', { param: 'email' });
    }
    return this.beginSession.begin(request, reply, opened.personId, opened.accountId);
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
