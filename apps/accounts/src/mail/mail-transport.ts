import type { Transporter } from 'nodemailer';
import type { RenderedMail } from './render-mail.js';

const TIMEOUT_MS = 20_000;
/** Absence notices do not answer such a mail (RFC 3834). */
const HEADERS = { 'Auto-Submitted': 'auto-generated' };

export interface Envelope extends RenderedMail {
  readonly from: string;
  readonly to: string;
  /** The same for each attempt, so that a mailbox recognizes a repetition. */
  readonly messageId: string;
}

export interface MailTransport {
  /** Resolves when the server has taken the mail. */
  send(envelope: Envelope): Promise<void>;
  close(): void;
}

async function openTransport(smtpUrl: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

/**
 * A connection for each mail: they are rare, and a server may close idle ones. The library is loaded with the first mail.
 */
export function smtpTransport(smtpUrl: string): MailTransport {
  let transport: Transporter | undefined;
  return {
    async send(envelope) {
      transport ??= await openTransport(smtpUrl);
      await transport.sendMail({ ...envelope, headers: HEADERS, disableFileAccess: true, disableUrlAccess: true });
    },
    close: () => transport?.close(),
  };
}

/** True if the server refused the mail for good, such as an unknown mailbox. */
export const isRefusedForGood = (error: unknown): boolean => {
  const { responseCode, code } = error as { readonly responseCode?: unknown; readonly code?: unknown };
  return code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 500;
};
