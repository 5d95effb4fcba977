import type { AccountsConfig } from '@gateway/config';
import { type Logger, Loop } from '@gateway/observability';
import { type ClaimedMail, claimMail, type Database, markMailFailed, markMailSent } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { codeOf, linkOf, newMailSecret } from '../http/mail-code.js';
import { ACCOUNTS_CONFIG, DATABASE, LOGGER, MAIL_METRICS } from '../tokens.js';
import type { MailMetrics } from './mail-metrics.js';
import { isRefusedForGood, type MailTransport, smtpTransport } from './mail-transport.js';
import { renderMail } from './render-mail.js';

const EVERY_MS = 2_000;
/** While no mail waits: a person waits for it. */
const MAX_INTERVAL_MS = 4_000;
/** Longer than an attempt may take. */
const LEASE_MS = 120_000;
const RETRY_MS = [10_000, 60_000, 5 * 60_000, 30 * 60_000];

/** Sends the outbox. Any number of processes may: each leases a mail before it sends it. */
@Injectable()
export class SendMails implements OnApplicationBootstrap {
  readonly #loop: Loop;
  readonly #transport: MailTransport | null;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ACCOUNTS_CONFIG)
    private readonly config: Pick<AccountsConfig, 'smtpUrl' | 'mailFrom' | 'publicAccountUrl'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(MAIL_METRICS) private readonly metrics: MailMetrics,
  ) {
    this.#transport = config.smtpUrl === undefined ? null : smtpTransport(config.smtpUrl);
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      maxIntervalMs: MAX_INTERVAL_MS,
      run: async (signal) => {
        if ((await this.#round(signal)) === 0) this.#loop.backOff();
      },
      onError: (error) => this.logger.warn({ err: error }, 'reading of the outbox failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    this.#transport?.close();
  }

  /** Resolves to the number of mails that it tried to send. */
  async #round(signal: AbortSignal): Promise<number> {
    for (let tried = 0; ; tried += 1) {
      if (signal.aborted) return tried;
      const { secret, secretSha256 } = newMailSecret();
      const mail = await claimMail(this.database, secretSha256, LEASE_MS);
      if (mail === null) return tried;
      await this.#send(mail, codeOf(mail.id, secret));
    }
  }

  async #send(mail: ClaimedMail, code: string): Promise<void> {
    const link = linkOf(this.config.publicAccountUrl, mail.kind, code);
    if (this.#transport === null) {
      const { id, kind, recipient } = mail;
      this.logger.warn({ mailId: id, kind, recipient, link }, 'SMTP_URL is not set: pass the link on by yourself');
      await this.#succeed(mail, 'logged');
      return;
    }
    try {
      const messageId = `<${mail.id}@${new URL(this.config.publicAccountUrl).hostname}>`;
      const envelope = { from: this.config.mailFrom, to: mail.recipient, messageId };
      await this.#transport.send({ ...envelope, ...renderMail(mail, link, code) });
    } catch (error) {
      await this.#fail(mail, error);
      return;
    }
    await this.#succeed(mail, 'sent');
  }

  async #succeed({ id }: ClaimedMail, outcome: 'sent' | 'logged'): Promise<void> {
    await markMailSent(this.database, id);
    this.metrics.mails.inc({ outcome });
  }

  async #fail({ id, kind, attempts, expiresAt }: ClaimedMail, error: unknown): Promise<void> {
    const pauseMs = RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1] ?? 0;
    const retryAt = new Date(Date.now() + pauseMs);
    const isLost = isRefusedForGood(error) || retryAt >= expiresAt;
    await markMailFailed(this.database, id, String(error).slice(0, 500), isLost ? null : retryAt);
    this.metrics.mails.inc({ outcome: isLost ? 'lost' : 'failed' });
    this.logger.warn({ err: error, mailId: id, kind, attempts, isLost }, 'sending of a mail failed');
  }
}
