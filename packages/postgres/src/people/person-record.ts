/** Who logs in. `email` is in lower case. */
export interface PersonRecord {
  readonly id: string;
  readonly email: string;
  /** Null: no log-in by password. */
  readonly passwordHash: string | null;
  readonly name: string;
  /** The language of mails: `en` or `zh`. */
  readonly locale: string;
  /** An IANA name, for display. */
  readonly timeZone: string;
  /** Null: no link that was sent to the address has been used. */
  readonly confirmedAt: Date | null;
  readonly createdAt: Date;
}

export const PERSON_FIELDS = {
  id: true,
  email: true,
  passwordHash: true,
  name: true,
  locale: true,
  timeZone: true,
  confirmedAt: true,
  createdAt: true,
} as const;
