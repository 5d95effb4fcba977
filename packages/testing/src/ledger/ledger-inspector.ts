import { type Database, openDatabase } from '@gateway/postgres';

/** A receipt as the ledger's database stores it. */
export interface SettlementRow {
  readonly requestId: string;
  readonly keyId: string;
  readonly model: string;
  readonly outcome: string;
  readonly holdNanoUsd: bigint;
  readonly costNanoUsd: bigint;
  /** What the ledger entries charged the customer for it. */
  readonly chargedNanoUsd: bigint;
  readonly units: Readonly<Record<string, number>>;
  readonly isEstimated: boolean;
  readonly abortContract: string | null;
  readonly errorCode: string | null;
  readonly attempts: readonly { readonly upstreamId?: string; readonly status?: number; readonly error?: string }[];
}

export interface AcceptedTask {
  readonly taskId: string;
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly model: string;
  readonly vendor: string;
  readonly channelId: string;
  readonly upstreamTaskId: string;
}

interface Finding {
  readonly finding: string;
}

const ignore = (): void => undefined;

/** Reads the ledger by its own SQL: an audit must not use the functions that it checks. */
export class LedgerInspector {
  private constructor(private readonly database: Database) {}

  static async open(databaseUrl: string): Promise<LedgerInspector> {
    const database = openDatabase({ databaseUrl, poolSize: 2, applicationName: 'auditor', onError: ignore });
    await database.ping();
    return new LedgerInspector(database);
  }

  close(): Promise<void> {
    return this.database.close();
  }

  async settlementCount(accountId: string): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM settlement WHERE account_id = ${accountId}`;
    return Number(row?.count ?? 0n);
  }

  async settlements(accountId: string): Promise<readonly SettlementRow[]> {
    return this.database.prisma.$queryRaw<SettlementRow[]>`
      SELECT request_id AS "requestId", key_id AS "keyId", model, outcome, hold_nano_usd AS "holdNanoUsd",
        cost_nano_usd AS "costNanoUsd", units, is_estimated AS "isEstimated",
        abort_contract AS "abortContract", error_code AS "errorCode", attempts,
        coalesce((
          SELECT -sum(entry.amount_nano_usd) FROM ledger_transaction AS posting
          JOIN ledger_entry AS entry ON entry.transaction_id = posting.id
          JOIN ledger_account AS side ON side.id = entry.ledger_account_id
          WHERE posting.reference = 'settlement:' || request_id AND side.account_id = settlement.account_id
        ), 0)::bigint AS "chargedNanoUsd"
      FROM settlement WHERE account_id = ${accountId} ORDER BY recorded_at, request_id`;
  }

  async settlement(accountId: string, requestId: string): Promise<SettlementRow | undefined> {
    return (await this.settlements(accountId)).find((row) => row.requestId === requestId);
  }

  /** The number of chunks of a response that Postgres stores for its idempotency key. */
  async storedChunks(requestId: string): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ chunks: bigint }[]>`
      SELECT count(*) AS chunks FROM kept_answer_piece WHERE request_id = ${requestId}`;
    return Number(row?.chunks ?? 0n);
  }

  /** Simulates a database that was restored from before that response. */
  async dropStoredResponse(requestId: string): Promise<void> {
    await this.database.prisma.$executeRaw`DELETE FROM kept_answer_piece WHERE request_id = ${requestId}`;
  }

  /** The request that submitted a task, by the public task id. */
  async requestOfTask(publicId: string): Promise<string> {
    const [row] = await this.database.prisma.$queryRaw<{ request_id: string }[]>`
      SELECT request_id FROM video_task WHERE public_id = ${publicId}`;
    if (row === undefined) throw new Error(`there is no task ${publicId}`);
    return row.request_id;
  }

  /** How many times each task of an account ended. */
  async endsOf(accountId: string): Promise<readonly number[]> {
    const rows = await this.database.prisma.$queryRaw<{ ends: bigint }[]>`
      SELECT count(*) AS ends FROM account_event
      WHERE account_id = ${accountId} AND type NOT IN ('video.task.queued', 'video.task.running') GROUP BY subject`;
    return rows.map(({ ends }) => Number(ends));
  }

  /** How many times a worker has polled these tasks. */
  async pollsOf(taskIds: readonly string[]): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ polls: bigint }[]>`
      SELECT sum(poll_number) AS polls FROM video_task WHERE id = ANY(${[...taskIds]}::text[])`;
    return Number(row?.polls ?? 0n);
  }

  async openTasks(accountId: string): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM video_task WHERE account_id = ${accountId} AND finished_at IS NULL`;
    return Number(row?.count ?? 0n);
  }

  /** Inserts accepted tasks of test keys, which is faster than submitting each. */
  async insertTestTasks(tasks: readonly AcceptedTask[]): Promise<void> {
    await this.database.prisma.$executeRaw`
      INSERT INTO video_task (id, public_id, request_id, account_id, key_id, is_test, model, vendor, state, channel_id,
        upstream_task_id, duration_seconds, resolution, aspect_ratio, unit, price_version, unit_prices, hold_nano_usd,
        created_at, asked_at, submitted_at, expires_at, poll_number, next_poll_at)
      SELECT "taskId", "upstreamTaskId", "requestId", "accountId", "keyId", true, model, vendor, 'queued', "channelId",
        "upstreamTaskId", 5, '720p', '16:9', 'second_720p', model || '@2026-01-01', '{"second_720p": "1"}', 0,
        now(), now(), now(), now() + interval '1 hour', 1, now()
      FROM jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) AS task ("taskId" text, "requestId" text, "accountId" text,
        "keyId" text, model text, vendor text, "channelId" text, "upstreamTaskId" text)`;
  }

  /** Moves the deadline of a task to now. */
  async expireTask(taskId: string): Promise<void> {
    await this.database.prisma.$executeRaw`
      UPDATE video_task SET expires_at = now() WHERE id = ${taskId} OR public_id = ${taskId}`;
  }

  /** Moves the end of a file's time to now. */
  async expireFile(id: string): Promise<void> {
    await this.database.prisma.$executeRaw`UPDATE stored_object SET expires_at = now() WHERE id = ${id}`;
  }

  /** Moves the clock of a kept request to its end. */
  async expireRequest(id: string): Promise<void> {
    await this.database.prisma.$executeRaw`UPDATE durable_request SET expires_at = now() WHERE id = ${id}`;
  }

  /** True until the sweep has deleted a kept request with its bytes. */
  async hasRequest(id: string): Promise<boolean> {
    return (await this.database.prisma.durableRequest.count({ where: { id } })) > 0;
  }

  /** How far the fetching of a vendor's result is. */
  async fetchOf(fileId: string): Promise<{ readonly status: string; readonly reason: string | null } | undefined> {
    const [row] = await this.database.prisma.$queryRaw<{ status: string; reason: string | null }[]>`
      SELECT status, reason FROM fetched_result WHERE file_id = ${fileId}`;
    return row;
  }

  /** Lets a worker fetch a result again at once. */
  async fetchAgain(fileId: string): Promise<void> {
    await this.database.prisma.$executeRaw`UPDATE fetched_result SET due_at = now() WHERE file_id = ${fileId}`;
  }

  /** Moves the end of a batch's window to now. */
  async expireBatch(id: string): Promise<void> {
    await this.database.prisma.$executeRaw`UPDATE batch SET window_ends_at = now() WHERE id = ${id}`;
  }

  /** Keys of objects that no row names. */
  async pendingObjects(): Promise<readonly string[]> {
    return (await this.database.prisma.pendingObject.findMany()).map(({ key }) => key);
  }

  /** Moves the time within which a writer names its objects to now. */
  async expirePendingObjects(): Promise<void> {
    await this.database.prisma.$executeRaw`UPDATE pending_object SET due_at = now()`;
  }

  async batchStatus(id: string): Promise<string | undefined> {
    return (await this.database.prisma.batch.findUnique({ where: { id } }))?.status;
  }

  /** True until the sweep has deleted a file's bytes. */
  async hasFile(id: string): Promise<boolean> {
    return (await this.database.prisma.storedObject.count({ where: { id } })) > 0;
  }

  /** What the ledger has moved to Redis, for every account. */
  async escrows(): Promise<readonly { readonly accountId: string; readonly escrowNanoUsd: bigint }[]> {
    return this.database.prisma.$queryRaw`
      SELECT account_id AS "accountId", balance_nano_usd AS "escrowNanoUsd"
      FROM ledger_account JOIN ledger_balance ON ledger_account_id = id WHERE kind = 'escrow'`;
  }

  /** All inconsistencies, one sentence each; an empty list is the only correct result. */
  async findings(): Promise<readonly string[]> {
    const rows = await this.database.prisma.$queryRaw<Finding[]>`
      SELECT 'the ledger sums to ' || sum(amount_nano_usd) AS finding FROM ledger_entry HAVING sum(amount_nano_usd) <> 0
      UNION ALL
      SELECT 'transaction ' || transaction_id || ' sums to ' || sum(amount_nano_usd)
        FROM ledger_entry GROUP BY transaction_id HAVING sum(amount_nano_usd) <> 0
      UNION ALL
      SELECT 'the balance of ledger account ' || balance.ledger_account_id || ' is not the sum of its entries'
        FROM ledger_balance AS balance WHERE balance_nano_usd <> (
          SELECT coalesce(sum(amount_nano_usd), 0) FROM ledger_entry AS entry
          WHERE entry.ledger_account_id = balance.ledger_account_id)
      UNION ALL
      SELECT 'request ' || request_id || ' was settled at ' || cost_nano_usd || ' but the ledger charged ' || taken
        FROM (
          SELECT request_id, cost_nano_usd, coalesce((
            SELECT -sum(entry.amount_nano_usd) FROM ledger_transaction AS posting
            JOIN ledger_entry AS entry ON entry.transaction_id = posting.id
            JOIN ledger_account AS side ON side.id = entry.ledger_account_id
            WHERE posting.reference = 'settlement:' || request_id AND side.account_id = settlement.account_id), 0) AS taken
          FROM settlement) AS charge
        WHERE cost_nano_usd <> taken
      UNION ALL
      SELECT 'a charge without a settlement: ' || reference FROM ledger_transaction
        WHERE kind = 'settlement'
          AND NOT EXISTS (SELECT 1 FROM settlement WHERE 'settlement:' || request_id = reference)
      UNION ALL
      SELECT 'the ledger holds ' || coalesce(reserved.amount, 0) || ' for the tasks of ' || account_id || ', which hold '
          || coalesce(owed.amount, 0)
        FROM (
          SELECT account_id, balance_nano_usd AS amount FROM ledger_account
          JOIN ledger_balance ON ledger_account_id = id WHERE kind = 'task_holds') AS reserved
        FULL JOIN (
          SELECT account_id, sum(hold_nano_usd) AS amount FROM video_task
          WHERE finished_at IS NULL AND hold_entry_id IS NOT NULL GROUP BY account_id) AS owed USING (account_id)
        WHERE coalesce(reserved.amount, 0) <> coalesce(owed.amount, 0)
      UNION ALL
      SELECT 'task ' || video_task.id || ' ended at ' || video_task.cost_nano_usd || ' but its receipt has '
          || coalesce(settlement.cost_nano_usd::text, 'nothing')
        FROM video_task LEFT JOIN settlement USING (request_id)
        WHERE finished_at IS NOT NULL AND settlement.cost_nano_usd IS DISTINCT FROM video_task.cost_nano_usd
      UNION ALL
      SELECT 'Redis held another amount than the ledger had moved to it: ' || reference
        FROM ledger_transaction WHERE kind = 'escrow_repair'
      UNION ALL
      SELECT 'an event could not be recorded: ' || reason FROM parked_event`;
    return rows.map(({ finding }) => finding);
  }
}
