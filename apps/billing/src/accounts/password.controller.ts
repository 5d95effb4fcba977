import { GatewayError } from '@gateway/contracts';
import { changePassword, type Database } from '@gateway/postgres';
import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { LimitAttempts } from '../limit-attempts.service.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { givenPassword, hashPassword, isPasswordRight, newPassword } from './password.js';

const change = z.strictObject({ password: givenPassword, new_password: newPassword });

/** For whoever has lost a session or a password to somebody: every other session ends. Keys stay, and are rotated one by one. */
@Controller('account/password')
export class PasswordController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
    private readonly limitAttempts: LimitAttempts,
  ) {}

  /** A session alone is not enough: it may be the one that was lost. */
  @Post()
  @HttpCode(200)
  async change(@Req() request: FastifyRequest, @Body() body: unknown) {
    const { account, tokenSha256 } = await this.sessions.openOf(request);
    const given = parse(change, body);
    await this.limitAttempts.count('password', account.id);
    if (!(await isPasswordRight(account.passwordHash, given.password))) {
      throw new GatewayError('invalid_request', 'password: is not the password of this account', { param: 'password' });
    }
    await changePassword(this.database, account.id, await hashPassword(given.new_password), tokenSha256);
    await this.limitAttempts.forget('password', account.id);
    return { changed: true };
  }
}
