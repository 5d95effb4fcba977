import type { ChannelReport } from '@gateway/contracts';
import { ChannelBoard } from '@gateway/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface, until } from '../test-support/account-interface.js';

let accounts: AccountInterface;
let board: ChannelBoard;

const CHANNEL: ChannelReport = {
  id: 'openai-1',
  vendor: 'openai',
  isTest: false,
  state: 'active',
  weight: 1,
  configuredWeight: 1,
  inFlight: 3,
  isBroken: false,
  brokenAccounts: 0,
  cooldownMs: 0,
  modelCooldowns: [],
  retryTokens: 10,
  calls: 2,
  errors: {},
  latencies: [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  lastError: null,
};

const asAdmin = (method: string, path: string, body?: unknown) =>
  accounts.call(method, `/admin/channels${path}`, body, accounts.adminToken);

const report = (channel: ChannelReport) =>
  board.report({
    processId: 'p',
    service: 'sync-worker',
    host: 'h',
    startedAtMs: 0,
    atMs: Date.now(),
    channels: [channel],
    slots: [],
  });

beforeAll(async () => {
  accounts = await AccountInterface.open();
  board = new ChannelBoard(accounts.resources.redis, accounts.resources.keys);
  await report(CHANNEL);
});

afterAll(() => accounts.close());

describe('the channels', () => {
  it('are listed as their processes report them', async () => {
    const { status, body } = await asAdmin('GET', '');
    expect([status, body.next_cursor]).toEqual([200, null]);
    expect(body.data).toMatchObject([{ id: 'openai-1', health: 'healthy', in_flight: 3, change: null }]);
    expect((await asAdmin('GET', '/openai-1')).body).toMatchObject({ id: 'openai-1', state: 'active' });
  });

  it('are paused for all processes, also after Redis has lost its data, and recorded in the audit log', async () => {
    const paused = await asAdmin('PATCH', '/openai-1', { state: 'paused', reason: 'vendor outage' });
    expect(paused.body).toMatchObject({ state: 'paused', is_applied: false, change: { reason: 'vendor outage' } });
    const isPublished = async () => (await board.controls())?.[0]?.state === 'paused';
    await until(isPublished);
    await accounts.test.loseRedis(accounts.resources);
    await until(isPublished);
    await report({ ...CHANNEL, state: 'paused' });
    expect((await asAdmin('GET', '/openai-1')).body).toMatchObject({ is_applied: true });
    const audit = await accounts.call('GET', '/admin/audit', undefined, accounts.adminToken);
    expect(audit.body.data[0]).toMatchObject({ action: 'channel.change', subject: 'openai-1', status: 200 });
  });

  it('keep what a change does not name', async () => {
    await asAdmin('PATCH', '/openai-1', { weight: 0.5, reason: 'slow' });
    const weighed = await asAdmin('PATCH', '/openai-1', { state: 'active', reason: 'well again' });
    expect(weighed.body).toMatchObject({ state: 'active', weight: 0.5, configured_weight: 1 });
    expect((await asAdmin('PATCH', '/openai-1', { weight: null, reason: 'r' })).body).toMatchObject({ weight: 1 });
  });

  it.each([
    [{ reason: 'x' }, 'state'],
    [{ state: 'asleep', reason: 'x' }, 'state'],
    [{ weight: -1, reason: 'x' }, 'weight'],
    [{ state: 'paused' }, 'reason'],
  ])('refuse %j and name the field', async (body, param) => {
    const refused = await asAdmin('PATCH', '/openai-1', body);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
  });

  it('are not found by another id', async () => {
    expect((await asAdmin('GET', '/openai-9')).status).toBe(404);
    expect((await asAdmin('PATCH', '/openai-9', { state: 'paused', reason: 'x' })).status).toBe(404);
  });
});
