import { ChannelBoard, createTicketQueue } from '@gateway/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';
import { TICKET } from '../test-support/sync-ticket.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

const ask = (path: string) => accounts.call('GET', `/admin/${path}`, undefined, accounts.adminToken);

describe('what waits', () => {
  it('is counted for each queue, with the slots of all workers', async () => {
    const { redis, keys } = accounts.resources;
    const queue = await createTicketQueue(redis, 'sync', 'voyage', keys);
    await queue.enqueue(TICKET);
    const slots = [{ kind: 'sync', vendor: 'voyage', size: 8, active: 3, waiting: 1 }];
    const board = new ChannelBoard(redis, keys);
    for (const processId of ['a', 'b']) {
      await board.report({ processId, service: 's', host: 'h', startedAtMs: 0, atMs: Date.now(), channels: [], slots });
    }
    const { body } = await ask('queue-depths');
    const of = (name: string) => body.data.find((one: { name: string }) => one.name === name);
    expect(of('sync-voyage')).toMatchObject({ waiting: 1, slots: { size: 16, active: 6, waiting: 2 } });
    expect(of('sync-voyage').oldest_wait_seconds).toBeGreaterThanOrEqual(0);
    expect(of('video-poll-xai')).toMatchObject({ waiting: 0, oldest_wait_seconds: null, slots: null });
    expect(JSON.stringify(body)).not.toContain(TICKET.claimToken);
    await queue.remove(TICKET.requestId);
    await queue.close();
  });
});

describe('open tasks', () => {
  it('are listed with their problems, filtered and paged', async () => {
    const owner = await accounts.register();
    const { database } = accounts.resources;
    const insert = (name: string, state: string, more: string) =>
      database.prisma.$executeRawUnsafe(`
      INSERT INTO video_task (id, public_id, request_id, account_id, key_id, is_test, model, vendor, duration_seconds,
        resolution, aspect_ratio, unit, price_version, unit_prices, hold_nano_usd, channel_id, upstream_task_id, state, created_at, expires_at,
        next_poll_at, finished_at, cost_nano_usd)
      VALUES ('task_${name}', 'task_${name}', 'req_${name}', '${owner.id}', 'key_x', false, 'wn2.7-t2v', 'dashscope', 5, '720p',
        '16:9', 'second', 'v', '{}', 1000, 'dashscope-1', 'up_${name}', '${state}', now() - interval '1 hour', ${more})`);
    await insert('fine', 'running', `now() + interval '1 day', now() + interval '1 minute', NULL, NULL`);
    await insert('late', 'running', `now() + interval '1 day', now() - interval '5 minutes', NULL, NULL`);
    await insert('stuck', 'running', `now() - interval '1 minute', now() + interval '1 minute', NULL, NULL`);
    await insert('unknown', 'submit_unknown', `now() + interval '1 day', now() + interval '1 minute', NULL, NULL`);
    await insert('ended', 'failed', `now() + interval '1 day', NULL, now(), 0`);
    const found = async (query: string) => (await ask(`tasks${query}`)).body;
    const idsOf = async (query: string) => (await found(query)).data.map((task: { id: string }) => task.id);
    expect(await idsOf('')).toHaveLength(4);
    expect(await idsOf('?problem=overdue')).toEqual(['task_late']);
    // A submission that has been unknown for an hour, long before the task's deadline.
    expect((await found('?problem=stuck')).data).toMatchObject([
      { id: 'task_stuck', problems: ['stuck'] },
      { id: 'task_unknown', problems: ['stuck'] },
    ]);
    expect(await idsOf('?problem=lost')).toEqual([]);
    expect(await idsOf('?vendor=xai')).toEqual([]);
    const first = await found('?limit=2');
    expect(await idsOf(`?limit=2&cursor=${first.next_cursor}`)).toHaveLength(2);
    expect((await ask('tasks?problem=sad')).body.error.param).toBe('problem');
  });
});
