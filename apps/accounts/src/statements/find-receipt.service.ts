import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestId, type TaskId, taskIdOf } from '@gateway/contracts';
import {
  type Database,
  findSettlement,
  findTask,
  isSettled,
  listPostings,
  type Posting,
  type SettlementRecord,
  type TaskAccess,
} from '@gateway/postgres';
import { type RedisConnection, type RedisKeys, readRequest } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, REDIS, REDIS_KEYS } from '../tokens.js';

/** A request that has no receipt yet. */
export interface UnsettledRequest {
  readonly requestId: string;
  readonly taskId: TaskId | null;
  readonly endpoint: string;
  readonly model: string;
  readonly keyId: string;
  readonly priceVersion: string;
  readonly holdNanoUsd: bigint;
  readonly admittedAtMs: number;
}

export type FoundReceipt =
  | { readonly state: 'settled'; readonly settlement: SettlementRecord; readonly postings: readonly Posting[] }
  | { readonly state: 'running'; readonly request: UnsettledRequest }
  /** The request has ended, and its settlement is not in the ledger yet. */
  | { readonly state: 'booking'; readonly requestId: string };

/** The ledger lags some fifty milliseconds behind a response. A client that reads its receipt at once waits this long. */
const WAIT_FOR_LEDGER_MS = 2_000;
const POLL_MS = 25;

/** Finds the receipt of a request, or the state of a request without one. */
@Injectable()
export class FindReceipt {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(REDIS_KEYS) private readonly keys: RedisKeys,
  ) {}

  /** Takes the id of the request or of its video task. Null: the account has no such request, or it was never admitted. */
  async find(reader: TaskAccess, id: string): Promise<FoundReceipt | null> {
    const requestId = id.startsWith('req_') ? id : (await findTask(this.database, reader, id))?.requestId;
    if (requestId === undefined) return null;
    const settled = await this.#findSettled(reader, requestId);
    if (settled !== null) return settled;
    const inRedis = await readRequest(this.redis, this.keys, { accountId: reader.accountId, requestId });
    if (inRedis.state === 'running') {
      const { hold } = inRedis;
      if (hold.accountId !== reader.accountId) return null;
      const { keyId, amountNanoUsd: holdNanoUsd } = hold;
      return { state: 'running', request: { requestId, taskId: null, keyId, holdNanoUsd, ...hold.about } };
    }
    // The hold and the end of a task are in PostgreSQL. Redis has no state of it any more.
    return (
      (await this.#findRunningTask(reader, requestId)) ??
      (inRedis.state === 'settled' ? this.#awaitSettlement(reader, requestId) : null)
    );
  }

  async #findSettled({ accountId }: TaskAccess, requestId: string): Promise<FoundReceipt | null> {
    const settlement = await findSettlement(this.database, accountId, requestId);
    if (settlement === null) return null;
    const postings = await listPostings(this.database, { accountId, requestId });
    return { state: 'settled', settlement, postings };
  }

  async #findRunningTask(reader: TaskAccess, requestId: string): Promise<FoundReceipt | null> {
    const task = await findTask(this.database, reader, taskIdOf(requestId as RequestId));
    if (task === null) return null;
    // The task may have ended since the first read. Its end and its receipt are one transaction.
    const settled = await this.#findSettled(reader, requestId);
    if (settled !== null) return settled;
    const { taskId, model, keyId, priceVersion, holdNanoUsd, createdAtMs: admittedAtMs } = task;
    const request = { requestId, taskId, endpoint: 'videos.generations', model, keyId, priceVersion };
    return { state: 'running', request: { ...request, holdNanoUsd, admittedAtMs } };
  }

  /**
   * Waits for the settlement, then reads it for this account only. Redis does not know the account of a settled request,
   * and a combined read could be older than the settlement. Another account's request is not found.
   */
  async #awaitSettlement(reader: TaskAccess, requestId: string): Promise<FoundReceipt | null> {
    const endsAtMs = performance.now() + WAIT_FOR_LEDGER_MS;
    while (performance.now() < endsAtMs) {
      if (await isSettled(this.database, requestId)) return this.#findSettled(reader, requestId);
      await sleep(POLL_MS);
    }
    return { state: 'booking', requestId };
  }
}
