import { createHash } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import { countAttempt, type Database, resetAttempts } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';

const WINDOW_MS = 15 * 60 * 1_000;

const LIMITS = {
  /** One person who mistypes. */
  'login-pair': 10,
  /** One account, guessed at from many addresses. */
  'login-email': 100,
  /** One address that guesses at many accounts. */
  'login-ip': 300,
  'register-ip': 300,
  /** Somebody with another person's session, who guesses at the password. */
  password: 10,
  /** One account that has messages sent to whatever address it names. */
  'webhook-test': 100,
  'webhook-replay': 1_000,
  'webhook-replay-many': 100,
} as const;

type Limit = keyof typeof LIMITS;

/** The subject is stored as a hash: the table of attempts is no list of addresses. */
const subjectOf = (limit: Limit, who: string) => `${limit}:${createHash('sha256').update(who).digest('base64url')}`;

/** Limits guessing, and what must not be done over and over, over all processes together. */
@Injectable()
export class AttemptLimiter {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async count(limit: Limit, who: string): Promise<void> {
    const { attempts, endsAt } = await countAttempt(this.database, subjectOf(limit, who), WINDOW_MS);
    if (attempts <= LIMITS[limit]) return;
    const retryAfterMs = Math.max(1_000, endsAt.getTime() - Date.now());
    throw new GatewayError('rate_limit_exceeded', 'Too many attempts. Try again later.', { retryAfterMs });
  }

  async reset(limit: Limit, who: string): Promise<void> {
    await resetAttempts(this.database, subjectOf(limit, who));
  }
}
