import { setTimeout as sleep } from 'node:timers/promises';
import { type RequestId, type TaskId, taskIdOf } from '@gateway/contracts';
import {
  type Database,
  findSettlement,
  findTask,
  isSettled,
  type SettlementRecord,
  type TaskAccess,
} from '@gateway/postgres';
import { type RedisConnection, type RedisKeys, readRequest } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, REDIS, REDIS_KEYS } from '../../tokens.js';

/** What is known of a request before its receipt. */
export interface RunningRequest {
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
  | { readonly state: 'settled'; readonly settlement: SettlementRecord }
  | { readonly state: 'running'; readonly request: RunningRequest }
  /** It has ended, and the ledger has not booked it yet. */
  | { readonly state: 'booking'; readonly requestId: string };

/** The ledger is some fifty milliseconds behind an answer; a client that asks at once is not sent away for that. */
const WAIT_FOR_LEDGER_MS = 2_000;
const LOOK_AGAIN_MS = 25;

/** The receipt of a request, or how far the request is. */
@Injectable()
export class FindReceipt {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(REDIS_KEYS) private readonly keys: RedisKeys,
  ) {}

  /** By the id of the request or of its video task. Null: this account has no such request, or it was never admitted. */
  async find(reader: TaskAccess, id: string): Promise<FoundReceipt | null> {
    const requestId = id.startsWith('req_') ? id : (await findTask(this.database, reader, id))?.requestId;
    if (requestId === undefined) return null;
    const booked = await this.#booked(reader, requestId);
    if (booked !== null) return booked;
    const inRedis = await readRequest(this.redis, this.keys, requestId);
    if (inRedis.state === 'running') {
      const { hold } = inRedis;
      if (hold.accountId !== reader.accountId) return null;
      const { keyId, amountNanoUsd: holdNanoUsd } = hold;
      return { state: 'running', request: { requestId, taskId: null, keyId, holdNanoUsd, ...hold.about } };
    }
    // A task has its hold in the ledger and its end in Postgres: Redis has nothing more to say of it.
    return (
      (await this.#task(reader, requestId)) ?? (inRedis.state === 'settled' ? this.#soon(reader, requestId) : null)
    );
  }

  async #booked({ accountId }: TaskAccess, requestId: string): Promise<FoundReceipt | null> {
    const settlement = await findSettlement(this.database, accountId, requestId);
    return settlement === null ? null : { state: 'settled', settlement };
  }

  async #task(reader: TaskAccess, requestId: string): Promise<FoundReceipt | null> {
    const task = await findTask(this.database, reader, taskIdOf(requestId as RequestId));
    if (task === null) return null;
    // It may have ended since: then its receipt was written with its end.
    const booked = await this.#booked(reader, requestId);
    if (booked !== null) return booked;
    const { taskId, model, keyId, priceVersion, holdNanoUsd, createdAtMs: admittedAtMs } = task;
    const request = { requestId, taskId, endpoint: 'videos.generations', model, keyId, priceVersion };
    return { state: 'running', request: { ...request, holdNanoUsd, admittedAtMs } };
  }

  /**
   * Waits for the ledger, and only then asks whose request it is: nobody knows before, and asked in one go, the answer
   * could be older than the booking. Another account's is booked and then not found.
   */
  async #soon(reader: TaskAccess, requestId: string): Promise<FoundReceipt | null> {
    const endsAtMs = performance.now() + WAIT_FOR_LEDGER_MS;
    while (performance.now() < endsAtMs) {
      if (await isSettled(this.database, requestId)) return this.#booked(reader, requestId);
      await sleep(LOOK_AGAIN_MS);
    }
    return { state: 'booking', requestId };
  }
}
