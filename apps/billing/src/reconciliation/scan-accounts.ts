import { accountsWithEscrow, type Database } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { AccountScanner } from './account-scanner.js';

/** Some tenths of a second of this process, and less of the stores. */
const ACCOUNTS_PER_ROUND = 5_000;
const PAGE = 1_000;

/** Scans every account with escrow in the ledger, or with a record in Redis. */
export const scanAccounts = (database: Database, store: AdmissionStore): AccountScanner =>
  new AccountScanner(
    [
      async (cursor) => {
        const { accountIds, lastId } = await accountsWithEscrow(database, {
          afterId: BigInt(cursor ?? 0),
          limit: PAGE,
        });
        return { accountIds, next: lastId === null ? null : lastId.toString() };
      },
      (cursor) => store.accountIds(cursor, PAGE),
    ],
    ACCOUNTS_PER_ROUND,
  );
