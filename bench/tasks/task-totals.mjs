import { callJson, expectedCost, SimulatorClient } from '@gateway/testing';

/** The upstream's end time in milliseconds, in its own time zone. */
const LAG = `
  SELECT count(*)::int AS ended, percentile_cont(ARRAY[0.5, 0.99, 1]) WITHIN GROUP (ORDER BY greatest(0,
    extract(epoch FROM finished_at - ((upstream->'output'->>'end_time')::timestamp AT TIME ZONE 'Asia/Shanghai')))) AS lag
  FROM video_task WHERE state = 'succeeded'`;
const TOTALS = `
  SELECT (SELECT coalesce(sum(amount_nano_usd), 0)::text FROM ledger_entry) AS sum,
    (SELECT count(*)::int FROM settlement WHERE endpoint = 'videos.generations' AND outcome = 'completed') AS receipts,
    (SELECT coalesce(sum(cost_nano_usd), 0)::text FROM settlement) AS charged,
    (SELECT count(*)::int FROM account_event WHERE type = 'video.task.succeeded') AS ends,
    (SELECT coalesce(sum(poll_number), 0)::int FROM video_task) AS polls`;

/** The totals of the tasks' rows, the ledger and the upstream's invoice. */
export async function readTaskTotals({ client, stack, apiKey, model }) {
  const { rows: lags } = await client.query(LAG);
  const { rows: totals } = await client.query(TOTALS);
  const price = await callJson(`${stack.baseUrl}/v1/models/${model}`, { token: apiKey });
  const made = await new SimulatorClient(stack.simulatorUrl).tasks('');
  const billed = made.reduce((sum, task) => sum + (task.billed === null ? 0n : expectedCost(price, task.billed)), 0n);
  const { sum, receipts, charged, ends, polls } = totals[0];
  const { ended, lag } = lags[0];
  return {
    ended,
    ends,
    receipts,
    polls,
    lag,
    sum,
    made: made.length,
    chargedNanoUsd: BigInt(charged),
    billedNanoUsd: billed,
  };
}

/** Each task was created once and has ended once, with one receipt and one event, at the upstream's price. */
export const isConsistent = ({ ended, ends, receipts, made, sum, chargedNanoUsd, billedNanoUsd }, count) =>
  [ended, ends, receipts, made].every((each) => each === count) && sum === '0' && chargedNanoUsd === billedNanoUsd;
