import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { changePassword, type Database } from '@gateway/postgres';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { AllowPerson } from '../guards/access.js';
import { CallerPerson, type PersonCaller } from '../guards/caller.js';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';
import { hashPassword, verifyPassword } from './password.js';
import { PEOPLE, passwordChange } from './people.description.js';

/** Changes the password and ends every other session. API keys stay: their owner rotates them one by one. */
@Controller('account/password')
export class PasswordController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
  ) {}

  /** The session alone is not enough, because it may be the stolen one. */
  @Describe(PEOPLE.changePassword)
  @AllowPerson()
  @Post()
  @HttpCode(200)
  async change(@CallerPerson() { person, tokenSha256 }: PersonCaller, @Body() body: unknown) {
    const given = parse(passwordChange, body);
    await this.attemptLimiter.count('password', person.id);
    if (!(await verifyPassword(person.passwordHash, given.password))) {
      throw new GatewayError('invalid_request', 'password: must be your current password', {
        param: 'password',
      });
    }
    await changePassword(this.database, person.id, await hashPassword(given.new_password), tokenSha256);
    await this.attemptLimiter.reset('password', person.id);
    return { changed: true };
  }
}
