import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { changePassword, type Database } from '@gateway/postgres';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { AllowSession } from '../guards/access.js';
import { CallerSession, type SessionCaller } from '../guards/caller.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { ACCOUNTS, passwordChange } from './accounts.description.js';
import { hashPassword, verifyPassword } from './password.js';

/** Changes the password and ends every other session. API keys stay: their owner rotates them one by one. */
@Controller('account/password')
export class PasswordController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
  ) {}

  /** The session alone is not enough, because it may be the stolen one. */
  @Describe(ACCOUNTS.changePassword)
  @AllowSession()
  @Post()
  @HttpCode(200)
  async change(@CallerSession() { account, tokenSha256 }: SessionCaller, @Body() body: unknown) {
    const given = parse(passwordChange, body);
    await this.attemptLimiter.count('password', account.id);
    if (!(await verifyPassword(account.passwordHash, given.password))) {
      throw new GatewayError('invalid_request', 'password: must be the current password of this account', {
        param: 'password',
      });
    }
    await changePassword(this.database, account.id, await hashPassword(given.new_password), tokenSha256);
    await this.attemptLimiter.reset('password', account.id);
    return { changed: true };
  }
}
