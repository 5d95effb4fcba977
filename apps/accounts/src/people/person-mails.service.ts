import { type Database, enqueueMail, type PersonRecord } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { AttemptLimiter } from '../sessions/attempt-limiter.service.js';
import { DATABASE } from '../tokens.js';

const HOUR_MS = 60 * 60 * 1_000;
const LASTS_MS = { confirm: 72 * HOUR_MS, confirm_email: 24 * HOUR_MS, reset: HOUR_MS, notice: 24 * HOUR_MS } as const;

const after = (ms: number): Date => new Date(Date.now() + ms);

/** Writes mails to people into the outbox. An address gets few at a time, whatever the person or network that asks. */
@Injectable()
export class PersonMails {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly attemptLimiter: AttemptLimiter,
  ) {}

  /** Proves the address that a person registered with. */
  async confirm({ id, email, locale }: PersonRecord): Promise<void> {
    await this.attemptLimiter.count('mail-address', email);
    const link = { kind: 'confirm', personId: id, expiresAt: after(LASTS_MS.confirm) } as const;
    await enqueueMail(this.database, { ...link, recipient: email, locale });
  }

  /** Proves another address before it becomes the person's. */
  async confirmEmail({ id, locale }: PersonRecord, email: string): Promise<void> {
    await this.attemptLimiter.count('mail-address', email);
    const link = { kind: 'confirm_email', personId: id, expiresAt: after(LASTS_MS.confirm_email) } as const;
    await enqueueMail(this.database, { ...link, recipient: email, locale, details: { email } });
  }

  /** Informs the former address of a person. */
  async emailChanged({ id, email: former, locale }: PersonRecord, email: string): Promise<void> {
    const notice = { kind: 'email_changed', personId: id, expiresAt: after(LASTS_MS.notice) } as const;
    await enqueueMail(this.database, { ...notice, recipient: former, locale, details: { email } });
  }

  /** For a person who registers again. Counted as `confirm` is: otherwise the limit would show who is registered. */
  async registered({ id, email, locale }: PersonRecord): Promise<void> {
    await this.attemptLimiter.count('mail-address', email);
    const notice = { kind: 'registered', personId: id, expiresAt: after(LASTS_MS.notice) } as const;
    await enqueueMail(this.database, { ...notice, recipient: email, locale });
  }

  async reset({ id, email, locale }: PersonRecord): Promise<void> {
    const link = { kind: 'reset', personId: id, expiresAt: after(LASTS_MS.reset) } as const;
    await enqueueMail(this.database, { ...link, recipient: email, locale });
  }
}
