import { z } from 'zod';
import { bool, httpUrl } from './variables.js';

/** The variables of the service that writes to people. */
export const mailVariables = {
  /** Such as `smtps://user:password@mail.example.com:465`. Without it, the links of mails are in the log. */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be a URL such as smtps://user:password@mail.example.com:465' })
    .optional(),
  /** The sender, such as `Gateway <gateway@example.com>`. */
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]*$/, 'must be an address such as Gateway <gateway@example.com>')
    .default('Unified Model Gateway <gateway@localhost>'),
  /** Where people reach this service. The links of mails start with it, never with what a client claims. */
  PUBLIC_ACCOUNT_URL: httpUrl.optional(),
  /** True: an address must be confirmed before its person gets a session. Default: true in production. */
  REGISTRATION_REQUIRES_CONFIRMATION: bool.optional(),
};

type MailVariables = z.output<z.ZodObject<typeof mailVariables>>;

/** Links to a host that only this machine knows would be useless in a mail. */
export const requireMailAddress = z.refine<Pick<MailVariables, 'SMTP_URL' | 'PUBLIC_ACCOUNT_URL'>>(
  ({ SMTP_URL: smtpUrl, PUBLIC_ACCOUNT_URL: address }) => smtpUrl === undefined || address !== undefined,
  { path: ['PUBLIC_ACCOUNT_URL'], error: 'must be set beside SMTP_URL', when: () => true },
);

export const readMail = (
  variables: MailVariables & { readonly PORT: number; readonly NODE_ENV: 'development' | 'test' | 'production' },
) => ({
  smtpUrl: variables.SMTP_URL,
  mailFrom: variables.MAIL_FROM,
  publicAccountUrl: variables.PUBLIC_ACCOUNT_URL ?? `http://localhost:${variables.PORT}`,
  registrationRequiresConfirmation: variables.REGISTRATION_REQUIRES_CONFIRMATION ?? variables.NODE_ENV === 'production',
});
