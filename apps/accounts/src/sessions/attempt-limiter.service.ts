import { createHash } from 'node:crypto';
import { GatewayError } from '@gateway/contracts';
import { countAttempt, type Database, resetAttempts } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';

const WINDOW_MS = 15 * 60 * 1_000;

const LIMITS = {
  /** Allows a person to mistype a password. */
  'login-pair': 10,
  /** Guesses at one account from many addresses. */
  'login-email': 100,
  /** Guesses at many accounts from one address. */
  'login-ip': 300,
  'register-ip': 300,
  /** Requests of one network without a session that the audit log records. More than those that the other limits let pass. */
  stranger: 1_000,
  /** Registrations with addresses that have accounts: they would list who is registered. */
  'register-taken-ip': 10,
  /** Organisations that one person creates. */
  organisation: 20,
  /** Mails that one person, address or network may cause. */
  'mail-address': 5,
  'mail-network': 30,
  /** Guesses at the code of a mail. */
  'mail-code-network': 100,
  /** Invitations of one organisation. */
  invitation: 100,
  /** Invitations that one address gets, from all organisations together. */
  'invitation-address': 5,
  /** Guesses at the password with a stolen session. */
  password: 10,
  /** Test events of one account: each sends a message to an address of its choice. */
  'webhook-test': 100,
  'webhook-replay': 1_000,
  'webhook-replay-many': 100,
} as const;

type Limit = keyof typeof LIMITS;

const MINUTE_MS = 60_000;

/** People read it, and they see no header. */
function refusalOf(retryAfterMs: number): string {
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  return minutes === 1
    ? 'Too many attempts. Try again in a minute.'
    : `Too many attempts. Try again in ${minutes} minutes.`;
}

/** Stores the subject as a hash, so that the table of attempts contains no addresses. */
const subjectOf = (limit: Limit, identity: string) =>
  `${limit}:${createHash('sha256').update(identity).digest('base64url')}`;

/** Limits password guesses and expensive actions, over all processes together. */
@Injectable()
export class AttemptLimiter {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async count(limit: Limit, identity: string): Promise<void> {
    const { attempts, endsAt } = await countAttempt(this.database, subjectOf(limit, identity), WINDOW_MS);
    if (attempts <= LIMITS[limit]) return;
    const retryAfterMs = Math.max(1_000, endsAt.getTime() - Date.now());
    throw new GatewayError('rate_limit_exceeded', refusalOf(retryAfterMs), { retryAfterMs });
  }

  async reset(limit: Limit, identity: string): Promise<void> {
    await resetAttempts(this.database, subjectOf(limit, identity));
  }
}
