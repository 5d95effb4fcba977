import { createTicketQueue } from '@gateway/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';
import { TICKET } from '../test-support/sync-ticket.js';

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open();
});

afterAll(() => accounts.close());

const asAdmin = (): string => `Basic ${btoa(`any-user:${accounts.adminToken}`)}`;

describe('the queue board', () => {
  const request = (path: string, authorization?: string, method = 'GET') =>
    fetch(`${accounts.address}/admin/queues${path}`, {
      method,
      headers: authorization === undefined ? {} : { authorization },
    });

  it.each([undefined, 'Bearer wrong', `Basic ${btoa('admin:wrong')}`, 'Basic !'])('refuses %s', async (shown) => {
    for (const path of ['', '/', '/api/queues', '/static/js/main.js']) {
      const refused = await request(path, shown);
      expect([path, refused.status]).toEqual([path, 401]);
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm/);
    }
  });

  it.each(['Basic', 'Bearer'])('shows every queue without claim tokens to the admin token as %s', async (scheme) => {
    const shown = scheme === 'Basic' ? asAdmin() : `Bearer ${accounts.adminToken}`;
    const page = await request('', shown);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'self'.*frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    const { queues } = (await (await request('/api/queues', shown)).json()) as { queues: { name: string }[] };
    expect(queues.map(({ name }) => name)).toEqual(expect.arrayContaining(['sync-openai', 'video-poll-dashscope']));
    const queue = await createTicketQueue(accounts.resources.redis, 'sync', 'openai', accounts.resources.keys);
    await queue.enqueue(TICKET);
    const waiting = await (await request('/api/queues?activeQueue=sync-openai&status=waiting', shown)).text();
    await queue.remove(TICKET.requestId);
    await queue.close();
    expect([waiting.includes(TICKET.requestId), waiting.includes(TICKET.claimToken)]).toEqual([true, false]);
  });

  it('refuses every change of a queue', async () => {
    for (const [method, path] of [
      ['PUT', '/api/queues/sync-openai/pause'],
      ['PUT', '/api/queues/sync-openai/empty'],
      ['PUT', '/api/queues/pause'],
      ['POST', '/api/queues/sync-openai/add'],
      ['PATCH', '/api/queues/sync-openai/any/update-data'],
    ] as const) {
      const refused = await request(path, asAdmin(), method);
      expect([path, refused.status, refused.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    expect(await accounts.resources.redis.keys(`${accounts.test.prefix}*pause*`)).toEqual([]);
  });
});
