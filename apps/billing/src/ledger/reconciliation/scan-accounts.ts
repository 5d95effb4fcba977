import { accountsWithEscrow, type Database } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { AccountScanner } from './account-scanner.js';

/** Looked at in a round: some tenths of a second of this process, and less of the stores. */
const ACCOUNTS_A_ROUND = 5_000;
const PAGE = 1_000;

/** Through all accounts that have anything in escrow, or in Redis. */
export const scanAccounts = (database: Database, store: AdmissionStore): AccountScanner =>
  new AccountScanner(
    [
      async (from) => {
        const { accountIds, lastId } = await accountsWithEscrow(database, { afterId: BigInt(from ?? 0), limit: PAGE });
        return { accountIds, next: lastId === null ? null : lastId.toString() };
      },
      (from) => store.accountIds(from, PAGE),
    ],
    ACCOUNTS_A_ROUND,
  );
