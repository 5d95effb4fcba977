import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOOK_AGAIN_MS = 250;
const TIMEOUT_MS = 20_000;

/** An indexed query: the measurement must not add work that counts for the gateway. */
const COUNT_SINCE = 'SELECT count(*)::int AS settled FROM settlement WHERE account_id = $1 AND settled_at >= $2';

const SUMS = `
  SELECT count(*)::int AS settlements, count(*) FILTER (WHERE outcome = 'completed')::int AS completed,
    coalesce(sum(cost_nano_usd), 0)::text AS cost_nano_usd
  FROM settlement WHERE account_id = $1`;

const REVENUE = `
  SELECT coalesce(sum(entry.amount_nano_usd), 0)::text AS revenue_nano_usd FROM ledger_entry entry
  JOIN ledger_account account ON account.id = entry.ledger_account_id AND account.kind = 'revenue'`;

/** Reads the settlements of one account's requests. */
export class Settlements {
  #client;
  #accountId;

  static async open(databaseUrl, accountId) {
    const settlements = new Settlements();
    settlements.#client = new pg.Client({ connectionString: databaseUrl });
    settlements.#accountId = accountId;
    await settlements.#client.connect();
    return settlements;
  }

  /** Totals over all. */
  async read() {
    const { rows } = await this.#client.query(SUMS, [this.#accountId]);
    const revenue = await this.#client.query(REVENUE);
    return {
      settlements: rows[0].settlements,
      completed: rows[0].completed,
      costNanoUsd: BigInt(rows[0].cost_nano_usd),
      revenueNanoUsd: BigInt(revenue.rows[0].revenue_nano_usd),
    };
  }

  /** Waits until the ledger has a settlement for each request since then, up to a time-out. */
  async waitFor(requests, sinceMs) {
    const untilMs = Date.now() + TIMEOUT_MS;
    while ((await this.#countSince(sinceMs)) < requests && Date.now() < untilMs) await sleep(LOOK_AGAIN_MS);
  }

  async #countSince(sinceMs) {
    const { rows } = await this.#client.query(COUNT_SINCE, [this.#accountId, new Date(sinceMs)]);
    return rows[0].settled;
  }

  close() {
    return this.#client.end();
  }
}
