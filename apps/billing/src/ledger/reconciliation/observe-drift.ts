import { type Database, escrowPositions } from '@gateway/postgres';
import { type AccountState, type AdmissionStore, pendingReturnNanoUsd } from '@gateway/redis';

export interface Observation {
  readonly escrowNanoUsd: bigint;
  /** Spendable, held and unsettled together, and what is on its way back: neither admission nor settlement changes it. */
  readonly heldByRedisNanoUsd: bigint;
  /** What is missing in Redis, grants on their way left out; below zero: what Redis has too much. */
  readonly driftNanoUsd: bigint;
}

const PAGE = 500;

const readAccounts = (store: AdmissionStore, accountIds: readonly string[]): Promise<readonly AccountState[]> =>
  Promise.all(accountIds.map((accountId) => store.readAccount(accountId)));

const heldBy = ({ spendableNanoUsd, heldNanoUsd, unsettledNanoUsd }: AccountState): bigint =>
  spendableNanoUsd + heldNanoUsd + unsettledNanoUsd;

/** The ledger is read between two readings of Redis; where these differ, billing was at work and nothing is observed. */
async function observePage(
  database: Database,
  store: AdmissionStore,
  accountIds: readonly string[],
): Promise<readonly (readonly [string, Observation])[]> {
  const before = await readAccounts(store, accountIds);
  const positions = await escrowPositions(database, accountIds);
  const after = await readAccounts(store, accountIds);
  const byAccount = new Map(positions.map((position) => [position.accountId, position]));
  return accountIds.flatMap((accountId, index) => {
    const [first, last] = [before[index], after[index]];
    if (first === undefined || last === undefined) return [];
    if (heldBy(first) !== heldBy(last) || first.returnSequence !== last.returnSequence) return [];
    const position = byAccount.get(accountId);
    const escrowNanoUsd = position?.escrowNanoUsd ?? 0n;
    const heldByRedisNanoUsd = heldBy(last) + pendingReturnNanoUsd(last, position?.openReturn);
    const driftNanoUsd = escrowNanoUsd - (position?.undeliveredNanoUsd ?? 0n) - heldByRedisNanoUsd;
    return [[accountId, { escrowNanoUsd, heldByRedisNanoUsd, driftNanoUsd }] as const];
  });
}

/** These accounts, each as of one moment. */
export async function observeDrift(
  database: Database,
  store: AdmissionStore,
  accounts: Iterable<string>,
): Promise<ReadonlyMap<string, Observation>> {
  const accountIds = [...accounts];
  const observed = new Map<string, Observation>();
  for (let from = 0; from < accountIds.length; from += PAGE) {
    const page = await observePage(database, store, accountIds.slice(from, from + PAGE));
    for (const [accountId, observation] of page) observed.set(accountId, observation);
  }
  return observed;
}
