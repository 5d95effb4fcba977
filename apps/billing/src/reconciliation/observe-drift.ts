import { type Database, escrowPositions } from '@gateway/postgres';
import { type AccountState, type AdmissionStore, pendingReturnNanoUsd } from '@gateway/redis';

export interface Observation {
  readonly escrowNanoUsd: bigint;
  /** Spendable + held + unsettled + open returns. Neither admission nor settlement changes this sum. */
  readonly heldByRedisNanoUsd: bigint;
  /** Escrow minus undelivered grants minus what Redis holds. Below zero: Redis holds too much. */
  readonly driftNanoUsd: bigint;
}

const PAGE = 500;

const readAccounts = (store: AdmissionStore, accountIds: readonly string[]): Promise<readonly AccountState[]> =>
  Promise.all(accountIds.map((accountId) => store.readAccount(accountId)));

const heldBy = ({ spendableNanoUsd, heldNanoUsd, unsettledNanoUsd }: AccountState): bigint =>
  spendableNanoUsd + heldNanoUsd + unsettledNanoUsd;

/** Reads Redis before and after the ledger. Accounts whose two reads differ were changing and are omitted. */
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

/** Compares the accounts, each as of one moment. An account that changes meanwhile is omitted. */
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
