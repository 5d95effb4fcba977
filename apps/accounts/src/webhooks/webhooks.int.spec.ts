import { randomBytes } from 'node:crypto';
import { ACCOUNT_EVENT_TYPES } from '@gateway/contracts';
import { claimDeliveries, reportAttempt, secretSeal, signingSecrets } from '@gateway/postgres';
import { emitEvent } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

const sealKey = randomBytes(32);
const LIMITS = { limit: 1_000, leaseMs: 60_000, hostLimit: 1_000, accountLimit: 1_000 };

let accounts: AccountInterface;

beforeAll(async () => {
  accounts = await AccountInterface.open({ webhookSecretKeys: [sealKey] });
});

afterAll(() => accounts.close());

const call: AccountInterface['call'] = (...request) => accounts.call(...request);

/** A person with a session who sends requests, and events of the account. */
async function person() {
  const { id, token } = await accounts.register();
  const send = (method: string, path: string, body?: unknown) => call(method, `/account/${path}`, body, token);
  const emit = (type: keyof typeof ACCOUNT_EVENT_TYPES = 'video.task.succeeded', more: object = {}) =>
    emitEvent(accounts.resources.database, {
      accountId: id,
      type,
      subject: 'task_a',
      data: { id: 'task_a', status: 'succeeded' },
      webhookUrl: null,
      isTest: false,
      ...more,
    });
  return { id, token, send, emit };
}

const deliverAll = async (status: number) => {
  const claimed = await claimDeliveries(accounts.resources.database, LIMITS);
  for (const delivery of claimed) {
    await reportAttempt(
      accounts.resources.database,
      delivery,
      {
        ...(status < 300 ? { outcome: 'delivered' } : { outcome: 'failed' }),
        durationMs: 12,
        status,
        error: status < 300 ? null : 'status',
        responseBody: 'thanks',
      },
      { afterMs: 1_000_000, afterFailures: 100 },
    );
  }
};

describe('a webhook endpoint', () => {
  it('is created, listed, changed, disabled, enabled and deleted', async () => {
    const { send } = await person();
    const created = await send('POST', 'webhook-endpoints', { url: 'HTTPS://Example.com/hook', description: 'mine' });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^we_/),
        url: 'https://example.com/hook',
        events: null,
        description: 'mine',
        test: false,
        enabled: true,
        disabled_at: null,
        disabled_reason: null,
        consecutive_failures: 0,
        failing_since: null,
        last_success_at: null,
        created_at: expect.any(String),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    ]);
    const { secret: _shownOnce, ...endpoint } = created.body;
    const path = `webhook-endpoints/${endpoint.id}`;
    expect((await send('GET', 'webhook-endpoints')).body).toEqual({ data: [endpoint], next_cursor: null });

    const changed = await send('PATCH', path, { events: ['video.task.failed'], description: 'ours' });
    expect(changed.body).toEqual({ ...endpoint, events: ['video.task.failed'], description: 'ours' });
    expect((await send('PATCH', path, { events: null, enabled: false })).body).toMatchObject({
      events: null,
      enabled: false,
      disabled_reason: 'by_you',
    });
    expect((await send('POST', `${path}/test`)).body.error.message).toMatch(/disabled/);
    expect((await send('PATCH', path, { enabled: true })).body).toMatchObject({ enabled: true, disabled_at: null });

    expect((await send('DELETE', path)).body).toEqual({ id: endpoint.id, deleted: true });
    for (const [method, suffix, body] of [
      ['DELETE', ''],
      ['GET', ''],
      ['PATCH', '', {}],
      ['POST', '/test'],
    ] as const) {
      expect((await send(method, `${path}${suffix}`, body)).status).toBe(404);
    }
  });

  it.each([
    [{}, 'url'],
    [{ url: 5 }, 'url'],
    [{ url: 'http://example.com/' }, 'url'],
    [{ url: 'https://127.0.0.1/' }, 'url'],
    [{ url: 'https://0x7f.1/' }, 'url'],
    [{ url: 'https://[::ffff:7f00:1]/' }, 'url'],
    [{ url: 'https://localhost/' }, 'url'],
    [{ url: 'https://user:secret@example.com/' }, 'url'],
    [{ url: 'https://example.com:6379/' }, 'url'],
    [{ url: 'https://example.com/', events: ['video.task.exploded'] }, 'events[0]'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{ url: 'https://example.com/', events: 'all' }, 'events'],
    [{ url: 'https://example.com/', description: 'x'.repeat(201) }, 'description'],
    [{ url: 'https://example.com/', test: 'yes' }, 'test'],
    [{ url: 'https://example.com/', secret: 'mine' }, 'secret'],
  ])('is not created from %j', async (given, param) => {
    const { send } = await person();
    const refused = await send('POST', 'webhook-endpoints', given);
    expect([refused.status, refused.body.error.type, refused.body.error.param]).toEqual([
      400,
      'invalid_request_error',
      param,
    ]);
    expect((await send('GET', 'webhook-endpoints')).body.data).toEqual([]);
  });

  it('is one of at most twenty, each with its own URL', async () => {
    const { send } = await person();
    const create = (n: number) => send('POST', 'webhook-endpoints', { url: `https://example.com/${n}` });
    expect((await create(0)).body).toHaveProperty('secret');
    const again = await create(0);
    expect([again.status, again.body.error.param]).toEqual([400, 'url']);
    const rest = await Promise.all(Array.from({ length: 25 }, (_, index) => create(index + 1)));
    expect(rest.filter(({ status }) => status === 201)).toHaveLength(19);
    expect(rest.some(({ body }) => 'secret' in body)).toBe(false);
    expect((await send('GET', 'webhook-endpoints')).body.data).toHaveLength(20);
  });

  it('is read with a key and changed with a session, only by its account', async () => {
    const [owner, other] = [await person(), await person()];
    const { body: endpoint } = await owner.send('POST', 'webhook-endpoints', { url: 'https://example.com/' });
    const { body: key } = await owner.send('POST', 'keys', { name: 'k', scopes: ['account:read'] });
    const path = `/account/webhook-endpoints/${endpoint.id}`;
    expect((await call('GET', path, undefined, key.key)).status).toBe(200);
    for (const [method, suffix, body] of [
      ['PATCH', '', {}],
      ['DELETE', ''],
      ['POST', '/test', {}],
    ] as const) {
      expect((await call(method, `${path}${suffix}`, body, key.key)).status).toBe(401);
      expect((await call(method, `${path}${suffix}`, body, other.token)).status).toBe(404);
      expect((await call(method, `${path}${suffix}`, body)).status).toBe(401);
    }
    expect((await call('GET', path, undefined, other.token)).status).toBe(404);
  });

  it('of a suspended account can only be read and deleted', async () => {
    const { id, send } = await person();
    const { body: endpoint } = await send('POST', 'webhook-endpoints', { url: 'https://example.com/' });
    await call('PATCH', `/admin/accounts/${id}`, { suspended: true }, accounts.adminToken);
    expect((await send('POST', 'webhook-endpoints', { url: 'https://example.com/2' })).status).toBe(403);
    expect((await send('POST', `webhook-endpoints/${endpoint.id}/test`)).status).toBe(403);
    expect((await send('POST', 'webhook-secret/rotate', {})).status).toBe(403);
    expect((await send('DELETE', `webhook-endpoints/${endpoint.id}`)).status).toBe(200);
  });

  it('is tested on request, up to a limit', async () => {
    const { send } = await person();
    const { body: endpoint } = await send('POST', 'webhook-endpoints', {
      url: 'https://example.com/',
      events: ['video.task.failed'],
    });
    const path = `webhook-endpoints/${endpoint.id}/test`;
    const tested = await send('POST', path);
    expect([tested.status, tested.body]).toEqual([
      202,
      { delivery_id: expect.stringMatching(/^whd_/), event_id: expect.stringMatching(/^evt_/) },
    ]);
    expect((await send('GET', `webhook-deliveries/${tested.body.delivery_id}`)).body).toMatchObject({
      state: 'pending',
      event: { id: tested.body.event_id, type: 'webhook.test', subject: endpoint.id },
    });
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await send('POST', path)).status));
    expect(statuses.filter((status) => status === 202)).toHaveLength(99);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a delivery', () => {
  it('is listed in pages with its attempts, filtered, and replayed', async () => {
    const { send, emit, id } = await person();
    const { body: endpoint } = await send('POST', 'webhook-endpoints', { url: 'https://example.com/' });
    await emit();
    await emit('video.task.failed', { webhookUrl: 'https://one.example.com/' });
    await deliverAll(500);
    const first = await send('GET', 'webhook-deliveries?limit=2');
    expect(first.body.data).toHaveLength(2);
    const second = await send('GET', `webhook-deliveries?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({
      next_cursor: null,
      data: [
        {
          endpoint_id: endpoint.id,
          state: 'failed',
          attempts: 1,
          last_status: 500,
          last_error: 'status',
          attempt_log: [{ number: 1, status: 500, error: 'status', duration_ms: 12, response_body: 'thanks' }],
        },
      ],
    });
    const [oldest] = second.body.data;
    const count = async (query: string) => (await send('GET', `webhook-deliveries?${query}`)).body.data.length;
    expect(await count('state=failed')).toBe(3);
    expect(await count('state=delivered')).toBe(0);
    expect(await count(`endpoint_id=${endpoint.id}`)).toBe(2);
    expect(await count(`event_id=${oldest.event.id}`)).toBe(1);

    const replay = () => send('POST', `webhook-deliveries/${oldest.id}/replay`);
    expect(await replay()).toMatchObject({
      status: 202,
      body: { id: oldest.id, state: 'pending', event: oldest.event },
    });
    expect((await replay()).body.error.message).toMatch(/still pending/);
    await deliverAll(200);
    expect((await send('GET', `webhook-deliveries/${oldest.id}`)).body).toMatchObject({
      state: 'delivered',
      attempts: 2,
      attempt_log: [{ number: 2 }, { number: 1 }],
    });
    await send('DELETE', `webhook-endpoints/${endpoint.id}`);
    expect((await replay()).body.error.message).toMatch(/deleted/);

    const other = await person();
    expect((await other.send('POST', `webhook-deliveries/${oldest.id}/replay`)).status).toBe(404);
    expect((await other.send('GET', `webhook-deliveries/${oldest.id}`)).status).toBe(404);
    expect((await other.send('GET', `webhook-deliveries?event_id=${oldest.event.id}`)).body.data).toEqual([]);
    expect(id).not.toBe(other.id);
  });

  it.each([
    ['state=lost', 'state'],
    ['cursor=%21', 'cursor'],
    ['limit=0', 'limit'],
    ['page=2', 'page'],
  ])('is not listed for ?%s', async (query, param) => {
    const { send } = await person();
    const refused = await send('GET', `webhook-deliveries?${query}`);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
  });
});

describe('many deliveries', () => {
  const from = '2026-01-01T00:00:00Z';
  const administrator = (id: string, body: object) =>
    call('POST', `/admin/accounts/${id}/webhook-deliveries/replay`, body, accounts.adminToken);

  it('are replayed once by the customer and by an administrator, and the audit log records both', async () => {
    const { send, emit, id } = await person();
    const { body: endpoint } = await send('POST', 'webhook-endpoints', { url: 'https://example.com/' });
    for (let count = 0; count < 3; count += 1) await emit();
    await deliverAll(500);
    const replay = { from, endpoint_id: endpoint.id };
    const replayed = await send('POST', 'webhook-deliveries/replay', replay);
    expect([replayed.status, replayed.body]).toEqual([202, { replayed: 3, brought_forward: 0, has_more: false }]);
    expect((await administrator(id, replay)).body).toEqual({ replayed: 0, brought_forward: 0, has_more: false });
    const { data } = (await send('GET', 'audit')).body;
    expect(data.slice(0, 2)).toMatchObject([
      { actor: 'administrator', action: 'webhook_delivery.replay_many', status: 202, details: replay },
      { actor: 'person', action: 'webhook_delivery.replay_many', status: 202, details: replay },
    ]);
  });

  it.each([
    [{}, 'from'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2099-01-01T00:00:00Z' }, 'from'],
    [{ from, to: '2025-01-01T00:00:00Z' }, 'from'],
    [{ from, to: '2099-01-01T00:00:00Z' }, 'to'],
    [{ from, states: ['delivered'] }, 'to'],
    [{ from, states: [] }, 'states'],
    [{ from, states: 'failed' }, 'states'],
    [{ from, states: ['lost'] }, 'states[0]'],
    [{ from, per_second: 0 }, 'per_second'],
    [{ from, per_second: 101 }, 'per_second'],
    [{ from, per_second: '5' }, 'per_second'],
    [{ from, endpoint_id: 'we_unknown' }, 'endpoint_id'],
    [{ from, limit: 5 }, 'limit'],
  ])('are not replayed by %j', async (given, param) => {
    const { send, id } = await person();
    for (const refused of [await send('POST', 'webhook-deliveries/replay', given), await administrator(id, given)]) {
      expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    }
  });

  it('are not replayed to a disabled or foreign endpoint, nor for an unknown account', async () => {
    const { send } = await person();
    const { body: endpoint } = await send('POST', 'webhook-endpoints', { url: 'https://example.com/' });
    await send('PATCH', `webhook-endpoints/${endpoint.id}`, { enabled: false });
    const replay = { from, endpoint_id: endpoint.id };
    expect((await send('POST', 'webhook-deliveries/replay', replay)).body.error.message).toMatch(
      /must be an enabled endpoint/,
    );
    const other = await person();
    const refused = await other.send('POST', 'webhook-deliveries/replay', replay);
    expect(refused.body.error.message).toMatch(/must be an endpoint of this account/);
    expect((await administrator('acct_unknown', { from })).status).toBe(404);
  });

  it('are replayed at most a hundred times in fifteen minutes', async () => {
    const { send } = await person();
    const replay = async () => (await send('POST', 'webhook-deliveries/replay', { from })).status;
    const statuses = await Promise.all(Array.from({ length: 101 }, replay));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('the secret', () => {
  it('is shown at its creation, and stays valid for its grace period after a rotation', async () => {
    const { send, id } = await person();
    expect((await send('GET', 'webhook-secret')).body).toEqual({ data: [], next_cursor: null });
    const first = await send('POST', 'webhook-secret/rotate', {});
    expect([first.status, first.body]).toEqual([
      201,
      { secret: expect.stringMatching(/^whsec_/), created_at: expect.any(String), previous_expires_at: null },
    ]);
    const second = await send('POST', 'webhook-secret/rotate', { grace_seconds: 3_600 });
    const left = Date.parse(second.body.previous_expires_at) - Date.now();
    expect(left).toBeGreaterThan(3_500_000);
    expect(left).toBeLessThan(3_700_000);
    const seal = secretSeal([sealKey]);
    const signing = await signingSecrets(accounts.resources.database, id, seal);
    expect(signing).toEqual([second.body.secret, first.body.secret]);
    const listed = await send('GET', 'webhook-secret');
    expect(listed.body.data).toMatchObject([{ expires_at: null }, { expires_at: second.body.previous_expires_at }]);
    for (const secret of signing) expect(JSON.stringify(listed.body)).not.toContain(secret);
    const stored = JSON.stringify(await accounts.resources.database.prisma.webhookSecret.findMany());
    for (const secret of signing) expect(stored).not.toContain(secret.slice('whsec_'.length));
  });

  it.each([{ grace_seconds: -1 }, { grace_seconds: 1.5 }, { grace_seconds: 604_801 }, { grace_seconds: '5' }])(
    'is not rotated with %j',
    async (given) => {
      const { send } = await person();
      expect((await send('POST', 'webhook-secret/rotate', given)).body.error.param).toBe('grace_seconds');
    },
  );

  it('never appears in the audit log', async () => {
    const { send } = await person();
    const { body } = await send('POST', 'webhook-secret/rotate', {});
    const audit = await send('GET', 'audit');
    expect(audit.body.data[0]).toMatchObject({ action: 'webhook_secret.rotate', status: 201 });
    expect(JSON.stringify(audit.body)).not.toContain(body.secret);
  });
});

describe('events', () => {
  it('are listed after the last known event', async () => {
    const { send, emit } = await person();
    for (const type of ['video.task.queued', 'video.task.running', 'video.task.succeeded'] as const) await emit(type);
    const first = await send('GET', 'events?limit=1');
    expect(first.body.data).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'video.task.queued',
        subject: 'task_a',
        test: false,
        created_at: expect.any(String),
        data: { id: 'task_a', status: 'succeeded' },
      },
    ]);
    expect(first.body.next_cursor).toBe(first.body.data[0].id);
    const rest = await send('GET', `events?after=${first.body.next_cursor}`);
    expect(rest.body.data.map(({ type }: { type: string }) => type)).toEqual([
      'video.task.running',
      'video.task.succeeded',
    ]);
    expect(rest.body.next_cursor).toBeNull();
    expect((await send('GET', 'events?type=video.task.running')).body.data).toHaveLength(1);
    expect((await send('GET', 'events?subject=task_b')).body.data).toEqual([]);
    for (const [query, param] of [
      ['after=evt_unknown', 'after'],
      ['type=nothing', 'type'],
      ['limit=1000', 'limit'],
    ] as const) {
      expect((await send('GET', `events?${query}`)).body.error.param).toBe(param);
    }
    const other = await person();
    expect((await other.send('GET', `events?after=${first.body.next_cursor}`)).status).toBe(400);
    expect((await other.send('GET', 'events')).body.data).toEqual([]);
  });

  it('of test keys are the only ones for a test key', async () => {
    const { send, emit } = await person();
    await emit('video.task.succeeded', { subject: 'live' });
    await emit('video.task.succeeded', { subject: 'test', isTest: true });
    const { body: key } = await send('POST', 'keys', { name: 'k', test: true, scopes: ['account:read'] });
    const { body } = await call('GET', '/account/events', undefined, key.key);
    expect(body.data.map(({ subject }: { subject: string }) => subject)).toEqual(['test']);
    expect((await send('GET', 'events')).body.data).toHaveLength(2);
  });
});
