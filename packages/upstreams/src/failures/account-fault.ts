/** What an upstream refuses about the gateway's account. `spent`: it is out of credit, or has reached its spend limit. */
export type AccountFaultSubject = 'spent' | 'credential' | 'model';

/** A failure that concerns the gateway's account or its models, and not the client's request. */
export interface AccountFault {
  readonly subject: AccountFaultSubject;
  /** True if only words name it, which may quote the client. A code, or a sentence known from its start, is certain. */
  readonly isByWords: boolean;
}

export const byCode = (subject: AccountFaultSubject): AccountFault => ({ subject, isByWords: false });
export const byWords = (subject: AccountFaultSubject): AccountFault => ({ subject, isByWords: true });

/** The fault of the first code that a table knows. */
export const faultOfCode = (
  subjects: Readonly<Record<string, AccountFaultSubject>>,
  ...codes: readonly string[]
): AccountFault | undefined => {
  const known = codes.find((code) => Object.hasOwn(subjects, code));
  return known === undefined ? undefined : byCode(subjects[known] as AccountFaultSubject);
};
