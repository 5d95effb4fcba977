import { type Database, type LedgerBalances, readLedgerBalances, undeliveredGrants } from '@gateway/postgres';
import { type AdmissionStore, pendingReturnNanoUsd } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE } from './tokens.js';

export interface CustomerBalance {
  readonly balanceNanoUsd: bigint;
  /** The holds of running requests and open tasks. */
  readonly heldNanoUsd: bigint;
  readonly availableNanoUsd: bigint;
}

const MAX_ATTEMPTS = 5;

/** Reads a customer's balance: the free part from the ledger, and the escrow from Redis, where each request changes it. */
@Injectable()
export class BalanceReader {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
  ) {}

  async read(accountId: string): Promise<CustomerBalance> {
    let position = await this.#position(accountId);
    for (let attempt = 1; ; attempt += 1) {
      const inEscrow = await this.#inEscrow(accountId, position);
      const after = await this.#position(accountId);
      // Otherwise money moved between the ledger and Redis during the read, and the sum would be wrong.
      if (isSame(position, after) || attempt === MAX_ATTEMPTS) {
        const heldForTasks = position.taskHoldsNanoUsd + inEscrow.inTransitNanoUsd;
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
    const epoch = await this.store.currentEpoch(accountId);
    // Redis has lost its data: the ledger is returning the escrow to the customer.
    if (epoch === null || epoch !== position.epoch?.toString()) {
      return { ownedNanoUsd: position.escrowNanoUsd, heldNanoUsd: 0n, inTransitNanoUsd: 0n };
    }
    const state = await this.store.readAccount(accountId);
    const inDelivery = grants
      .filter(({ sequence }) => sequence > state.grantSequence)
      .reduce((sum, { amountNanoUsd }) => sum + amountNanoUsd, 0n);
    return {
      ownedNanoUsd:
        state.spendableNanoUsd + state.heldNanoUsd + inDelivery + pendingReturnNanoUsd(state, position.openReturn),
      heldNanoUsd: state.heldNanoUsd,
      // Task holds in transit from Redis to the ledger. Money that Redis lost belongs to the customer again.
      inTransitNanoUsd: smaller(position.unbookedHoldsNanoUsd, state.unsettledNanoUsd),
    };
  }
}

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);

const isSame = (before: LedgerBalances, after: LedgerBalances): boolean =>
  before.epoch === after.epoch &&
  before.customerVersion === after.customerVersion &&
  before.openReturn === after.openReturn &&
  before.taskHoldsNanoUsd === after.taskHoldsNanoUsd &&
  before.unbookedHoldsNanoUsd === after.unbookedHoldsNanoUsd;
