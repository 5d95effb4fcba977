/** `mail.details`: what a template shows besides the link. */
export type MailDetails = Readonly<Record<string, string>>;

export const MAIL_KINDS = [
  'confirm',
  'confirm_email',
  'email_changed',
  'registered',
  'reset',
  'invitation',
  'organisation_deleted',
] as const;
/**
 * `confirm`: proves the address of a new person; `confirm_email`: of a person who changes it, and `email_changed` goes to the
 * former one; `registered`: a person who is registered has registered again; `reset`: a new password; `invitation`;
 * `organisation_deleted`: to its other owners.
 */
export type MailKind = (typeof MAIL_KINDS)[number];

export interface NewMail {
  readonly kind: MailKind;
  readonly recipient: string;
  /** `en` or `zh`. */
  readonly locale: string;
  readonly personId: string;
  readonly details?: MailDetails;
  /** When its link ends. */
  readonly expiresAt: Date;
}
