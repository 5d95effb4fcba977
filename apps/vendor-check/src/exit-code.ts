/** What a command found, as the exit code of its process. */
export const EXIT = {
  /** Everything that could be asked is as expected. */
  asExpected: 0,
  /** Something differs: a person must decide. */
  differs: 1,
  /** Not everything could be asked: no credential, a refused one, or no response. Nothing that was asked differs. */
  notAsked: 2,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
