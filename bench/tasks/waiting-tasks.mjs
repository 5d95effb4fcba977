import { once } from 'node:events';
import { createServer } from 'node:http';

/** Another vendor than that of the running tasks, so that none of them is submitted to it. */
const VENDOR = 'ark';
const MODEL = 'seedance-1.5-pro';

/** Replaces that vendor; its tasks never end. Returns its address; `onStop` stops it. */
export async function startNeverEndingUpstream({ onStop }) {
  const server = createServer((request, response) => {
    request.resume();
    const seconds = Math.floor(Date.now() / 1_000);
    const task = {
      id: request.url.split('/').at(-1),
      model: MODEL,
      status: 'running',
      created_at: seconds,
      updated_at: seconds,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(task));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onStop(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** Submitted five hours ago, with polls spread over half an hour. They hold nothing. */
const INSERT_TASKS = `
  INSERT INTO video_task (id, public_id, request_id, account_id, key_id, is_test, model, vendor, state, channel_id,
    upstream_task_id, duration_seconds, resolution, aspect_ratio, unit, price_version, unit_prices, hold_nano_usd,
    created_at, asked_at, submitted_at, started_at, expires_at, next_poll_at)
  SELECT 'task_waiting_' || at, 'task_waiting_' || at, 'req_waiting_' || at, $1, 'waiting', false, '${MODEL}', '${VENDOR}',
    'running', '${VENDOR}-' || (1 + at % $2::int), 'up-' || at, 2, '720p', '16:9', 'second', 'bench', '{"second": "0"}', 0,
    long_ago, long_ago, long_ago, long_ago, now() + interval '1 day', now() + random() * interval '30 minutes'
  FROM generate_series(1, $3::int) AS at CROSS JOIN (SELECT now() - interval '5 hours' AS long_ago) AS began`;

/** Inserts open tasks directly, in the state that they would have after hours. */
export async function insertWaitingTasks(client, { accountId, credentials, count }) {
  await client.query(INSERT_TASKS, [accountId, credentials, count]);
  await client.query('ANALYZE video_task');
}
