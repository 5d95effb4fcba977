import { type AccountCaller, isTestCaller } from '../guards/caller.js';

/** What a caller reads: a key its own mode, a session the mode that it names. */
export const modeAccess = (caller: AccountCaller, test: boolean) => ({
  accountId: caller.account.id,
  isTest: caller.kind === 'key' ? isTestCaller(caller) : test,
});

/** For an id: a session finds it in either mode. */
export const eitherMode = ({ account }: Pick<AccountCaller, 'account'>) =>
  [false, true].map((isTest) => ({ accountId: account.id, isTest }));

/** The first of these attempts that finds something. Null: none does. */
export async function firstFound<Access, Found>(
  accesses: readonly Access[],
  find: (access: Access) => Promise<Found | null>,
): Promise<Found | null> {
  for (const access of accesses) {
    const found = await find(access);
    if (found !== null) return found;
  }
  return null;
}

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
export const isoTimeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds);
