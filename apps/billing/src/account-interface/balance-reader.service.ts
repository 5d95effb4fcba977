import { type Database, type LedgerBalances, readLedgerBalances, undeliveredGrants } from '@gateway/postgres';
import { type AdmissionStore, pendingReturnNanoUsd } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE } from '../tokens.js';

export interface Balance {
  readonly balanceNanoUsd: bigint;
  /** The part that running requests and open tasks may need. */
  readonly heldNanoUsd: bigint;
  readonly availableNanoUsd: bigint;
}

const TRIES = 5;

/** What a customer has now: the free part from the ledger, the rest from Redis, where it changes with every request. */
@Injectable()
export class BalanceReader {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
  ) {}

  async read(accountId: string): Promise<Balance> {
    let position = await this.#position(accountId);
    for (let tries = 1; ; tries += 1) {
      const inEscrow = await this.#inEscrow(accountId, position);
      const after = await this.#position(accountId);
      // Money moved between the two while they were read: the sum of the halves would be wrong.
      if (isSame(position, after) || tries === TRIES) {
        const heldForTasks = position.taskHoldsNanoUsd + inEscrow.leavingNanoUsd;
        const balanceNanoUsd = position.customerNanoUsd + inEscrow.ownedNanoUsd + heldForTasks;
        const heldNanoUsd = inEscrow.heldNanoUsd + heldForTasks;
        return { balanceNanoUsd, heldNanoUsd, availableNanoUsd: balanceNanoUsd - heldNanoUsd };
      }
      position = after;
    }
  }

  async #position(accountId: string): Promise<LedgerBalances> {
    const position = await readLedgerBalances(this.database, accountId);
    if (position === null) throw new Error(`account ${accountId} has no ledger accounts`);
    return position;
  }

  async #inEscrow(accountId: string, position: LedgerBalances) {
    const grants = await undeliveredGrants(this.database, { accountId });
    const epoch = await this.store.currentEpoch();
    // A Redis that has lost everything: the escrow is on its way back to the customer.
    if (epoch === null || epoch !== position.epoch?.toString()) {
      return { ownedNanoUsd: position.escrowNanoUsd, heldNanoUsd: 0n, leavingNanoUsd: 0n };
    }
    const state = await this.store.readAccount(accountId);
    const onTheWay = grants
      .filter(({ sequence }) => sequence > state.grantSequence)
      .reduce((sum, { amountNanoUsd }) => sum + amountNanoUsd, 0n);
    return {
      ownedNanoUsd:
        state.spendableNanoUsd + state.heldNanoUsd + onTheWay + pendingReturnNanoUsd(state, position.openReturn),
      heldNanoUsd: state.heldNanoUsd,
      // Holds of tasks that are on their way from Redis to the ledger. What Redis has lost is the customer's again.
      leavingNanoUsd: least(position.unbookedHoldsNanoUsd, state.unsettledNanoUsd),
    };
  }
}

const least = (left: bigint, right: bigint): bigint => (left < right ? left : right);

const isSame = (before: LedgerBalances, after: LedgerBalances): boolean =>
  before.epoch === after.epoch &&
  before.customerVersion === after.customerVersion &&
  before.openReturn === after.openReturn &&
  before.taskHoldsNanoUsd === after.taskHoldsNanoUsd &&
  before.unbookedHoldsNanoUsd === after.unbookedHoldsNanoUsd;
