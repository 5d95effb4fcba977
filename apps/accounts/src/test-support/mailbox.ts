import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { until } from './account-interface.js';

export interface ReceivedMail {
  readonly to: string;
  readonly messageId: string;
  readonly subject: string;
  /** The code that the mail carries; empty: none. */
  readonly code: string;
  readonly raw: string;
}

/** Undoes the transfer encodings of mails. */
function decode(raw: string): string {
  const soft = raw.replace(/=\r?\n/g, '');
  return soft.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const header = (raw: string, name: string): string => new RegExp(`^${name}: (.*)$`, 'mi').exec(raw)?.[1]?.trim() ?? '';

/** An SMTP server that keeps what it gets. */
export class Mailbox {
  readonly mails: ReceivedMail[] = [];
  /** Replies of the next mails instead of acceptance. */
  readonly refusals: number[] = [];
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_, __, callback) => {
        const code = this.refusals.shift();
        callback(code === undefined ? null : Object.assign(new Error('refused by the test'), { responseCode: code }));
      },
      onData: (stream, { envelope }, callback) => {
        text(stream).then((encoded) => {
          const raw = decode(encoded);
          this.mails.push({
            to: envelope.rcptTo.map(({ address }) => address).join(),
            messageId: header(raw, 'message-id'),
            subject: header(raw, 'subject'),
            code: /mail_[a-z2-7]{26}\.[\w-]{43}/.exec(raw)?.[0] ?? '',
            raw,
          });
          callback();
        }, callback);
      },
    });
  }

  static async open(): Promise<Mailbox> {
    const mailbox = new Mailbox();
    const { server } = mailbox.#server;
    mailbox.#server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return mailbox;
  }

  get url(): string {
    const address = this.#server.server.address();
    if (address === null || typeof address === 'string') throw new Error('the mailbox does not listen');
    return `smtp://127.0.0.1:${address.port}`;
  }

  to(recipient: string): readonly ReceivedMail[] {
    return this.mails.filter(({ to }) => to === recipient);
  }

  /** Waits for the mail with this number (from 1) to an address. */
  async mail(recipient: string, number = 1): Promise<ReceivedMail> {
    await until(async () => this.to(recipient).length >= number);
    return this.to(recipient)[number - 1] as ReceivedMail;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
