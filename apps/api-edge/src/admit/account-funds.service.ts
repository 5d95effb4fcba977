import type { AccountId, KeyRecord } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import type { AccountFundsRecord, AdmissionStore } from '@gateway/redis';
import { atMost } from '@gateway/serving';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { FundsCheck } from '../edge-request.js';
import { ADMISSION_STORE } from '../tokens.js';
import { Escrow } from './escrow.service.js';

/** A top-up counts at most this late. A large body that passes too early is refused after it was read. */
const CACHE_TTL_MS = 2_000;
const MAX_ACCOUNTS = 10_000;
/** Neither a header nor a check that only saves work may wait for a slow Redis, or for a billing that is away. */
const REDIS_TIMEOUT_MS = 250;
const LEDGER_TIMEOUT_MS = 1_000;

/** Null: Redis does not know the account. Undefined: Redis is away. */
type KnownFunds = AccountFundsRecord | null | undefined;

/** What an account has, without a hold. */
@Injectable()
export class AccountFunds implements FundsCheck {
  readonly #maySpend = new LRUCache<AccountId, boolean>({ ...atMost(MAX_ACCOUNTS), ttl: CACHE_TTL_MS });
  readonly #reads = new Map<AccountId, Promise<KnownFunds>>();
  readonly #checks = new Map<AccountId, Promise<boolean>>();

  constructor(
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'readFunds'>,
    private readonly escrow: Escrow,
  ) {}

  /** The balance in nano-USD, including holds. Null if Redis does not know it or is away. Never rejects. */
  async balance(accountId: AccountId): Promise<bigint | null> {
    return (await this.#read(accountId))?.balanceNanoUsd ?? null;
  }

  /**
   * False if the account has nothing to spend, as of at most two seconds ago. True if it is not known: admission decides
   * later. A test key spends nothing.
   */
  async maySpend({ accountId, isTest }: Pick<KeyRecord, 'accountId' | 'isTest'>): Promise<boolean> {
    if (isTest) return true;
    return this.#maySpend.get(accountId) ?? shared(this.#checks, accountId, () => this.#check(accountId));
  }

  async #check(accountId: AccountId): Promise<boolean> {
    const funds = await this.#read(accountId);
    // An outage of Redis must not move the money of everybody who lists models.
    const maySpend =
      funds === null ? await this.#ledgerGrants(accountId) : funds === undefined || funds.spendableNanoUsd > 0n;
    this.#maySpend.set(accountId, maySpend);
    return maySpend;
  }

  /** Redis knows nothing of an account that never had money. Only the ledger can refuse it. */
  async #ledgerGrants(accountId: AccountId): Promise<boolean> {
    const granted = this.escrow.serialize(accountId, () => this.escrow.requestBlock(accountId, 1n));
    return withTimeout(
      granted.catch(() => true),
      LEDGER_TIMEOUT_MS,
      () => true,
    );
  }

  #read(accountId: AccountId): Promise<KnownFunds> {
    const away = (): undefined => undefined;
    return shared(this.#reads, accountId, () =>
      withTimeout(this.store.readFunds(accountId).catch(away), REDIS_TIMEOUT_MS, away),
    );
  }
}

/** Concurrent callers share one call. */
function shared<Name, Result>(
  running: Map<Name, Promise<Result>>,
  name: Name,
  call: () => Promise<Result>,
): Promise<Result> {
  const known = running.get(name);
  if (known !== undefined) return known;
  const result = call().finally(() => running.delete(name));
  running.set(name, result);
  return result;
}
