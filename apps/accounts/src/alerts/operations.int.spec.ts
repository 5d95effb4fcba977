import { createServer } from 'node:http';
import { newRequestId } from '@gateway/contracts';
import { ChannelBoard } from '@gateway/redis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountInterface } from '../test-support/account-interface.js';

/** What an unmodified Prometheus answers to `/api/v1/alerts`. */
const ALERTS_OF_PROMETHEUS = {
  status: 'success',
  data: {
    alerts: [
      {
        labels: { alertname: 'LedgerDrift', severity: 'page', service: 'billing' },
        annotations: { summary: 'They differ.', runbook_url: 'docs/runbooks/ledger-drift.md' },
        state: 'firing',
        activeAt: '2026-11-22T18:00:00Z',
        value: '1e+00',
      },
    ],
  },
};

let accounts: AccountInterface;
let prometheusAnswer: unknown = ALERTS_OF_PROMETHEUS;
const prometheus = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(prometheusAnswer));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    prometheus.listen(0, '127.0.0.1', resolve);
  });
  const address = prometheus.address();
  if (address === null || typeof address === 'string') throw new Error('the fake Prometheus has no port');
  accounts = await AccountInterface.open({ prometheusUrl: `http://127.0.0.1:${address.port}` });
});

afterAll(async () => {
  prometheus.close();
  await accounts.close();
});

const ask = (path: string) => accounts.call('GET', `/admin/${path}`, undefined, accounts.adminToken);

describe('alerts', () => {
  it('are those of Prometheus, with their runbooks', async () => {
    const { body } = await ask('alerts');
    expect(body).toMatchObject({ source: 'prometheus', problem: null });
    expect(body.data).toEqual([
      {
        name: 'LedgerDrift',
        severity: 'page',
        state: 'firing',
        summary: 'They differ.',
        since: '2026-11-22T18:00:00Z',
        labels: { service: 'billing' },
        runbook: 'ledger-drift',
      },
    ]);
    const { body: runbook } = await ask('runbooks/ledger-drift');
    expect(runbook.markdown).toContain('# LedgerDrift');
    for (const name of ['unknown', '..%2Fhow-to%2Fvideos', 'README']) {
      expect([name, (await ask(`runbooks/${name}`)).status]).toEqual([name, 404]);
    }
  });

  it('are checked by the own data while Prometheus reports none', async () => {
    prometheusAnswer = { status: 'error' };
    const { redis, keys } = accounts.resources;
    const report = { processId: 'w', service: 'sync-worker', host: 'h', startedAtMs: 0, channels: [], slots: [] };
    const { body: before } = await ask('alerts');
    expect(before).toMatchObject({ source: 'own', problem: 'Prometheus answered 200 in an unknown form.' });
    const names = (list: { data: { name: string }[] }) => list.data.map(({ name }) => name);
    expect(names(before)).toEqual(['NoWorkerConnected']);
    await new ChannelBoard(redis, keys).report({ ...report, atMs: Date.now() });
    await accounts.database.prisma.channelControl.create({
      data: { channelId: 'openai-1', state: 'paused', weight: null, changedBy: 'Ann', reason: 'a leak' },
    });
    const { body: after } = await ask('alerts');
    expect(after.data).toMatchObject([{ name: 'ChannelPaused', severity: 'ticket', labels: { channel: 'openai-1' } }]);
    prometheusAnswer = ALERTS_OF_PROMETHEUS;
  });
});

describe('the system', () => {
  it('reports versions, stores, migrations and settings, and no secret', async () => {
    const { body } = await ask('system');
    expect(body).toMatchObject({ release: '1.0.0', node: process.versions.node, redis: { masters: 1 } });
    expect(body.postgres.migrations.length).toBeGreaterThan(5);
    expect(body.postgres.size_bytes).toBeGreaterThan(1_000_000);
    expect(body.settings).toContainEqual({ name: 'SMTP_URL', value: null });
    expect(JSON.stringify(body)).not.toContain(accounts.adminToken);
    expect(JSON.stringify(body)).not.toContain(accounts.test.accountsDatabaseUrl);
  });
});

describe('findings', () => {
  it('are empty while the money is right', async () => {
    const kinds = ['drift', 'orphan_holds', 'unsettled', 'parked', 'unbooked_task_holds', 'tasks_without_receipt'];
    for (const kind of [...kinds, 'refunded_charges', 'below_cost']) {
      expect([kind, (await ask(`findings/${kind}`)).body]).toEqual([kind, { data: [], next_cursor: null }]);
    }
    expect((await ask('findings/luck')).body.error.param).toBe('kind');
  });

  it('list the events that the ledger refused, page by page', async () => {
    const { prisma } = (await accounts.test.resources()).database;
    const requestId = newRequestId();
    for (const streamEntryId of ['1-0', '2-0', '3-0']) {
      const payload = JSON.stringify({ requestId, accountId: 'acct_x', costNanoUsd: '1500' });
      await prisma.parkedEvent.create({ data: { streamEntryId, payload, reason: 'unknown account' } });
    }
    const { body: first } = await ask('findings/parked?limit=2');
    expect(first.data).toHaveLength(2);
    expect(first.data[0]).toMatchObject({ account_id: 'acct_x', request_id: requestId, amount_usd: '0.0000015' });
    const { body: second } = await ask(`findings/parked?limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ data: [{ about: 'unknown account' }], next_cursor: null });
  });
});

describe('endpoints of all accounts', () => {
  it('are listed by their state, with their owner', async () => {
    const owner = await accounts.register();
    const { prisma } = accounts.database;
    for (const [id, consecutiveFailures] of [
      ['we_fine', 0],
      ['we_bad', 3],
    ] as const) {
      const url = `https://${id}.example.com`;
      await prisma.webhookEndpoint.create({
        data: { id, accountId: owner.id, url, eventTypes: [], consecutiveFailures },
      });
    }
    const { body } = await ask('webhook-endpoints?state=failing');
    expect(body.data).toMatchObject([{ id: 'we_bad', account_id: owner.id, account_email: owner.email, pending: 0 }]);
    expect((await ask('webhook-endpoints')).body.data).toHaveLength(2);
    expect((await ask('webhook-endpoints?state=sad')).body.error.param).toBe('state');
  });
});

describe('the audit log', () => {
  it('is filtered by action, actor, person and administrator, and names people', async () => {
    const owner = await accounts.register();
    await accounts.call('POST', '/account/keys', { name: 'a key' }, owner.token);
    const { body: made } = await ask('audit?action=key.');
    expect(made.data[0]).toMatchObject({ action: 'key.create', person: { name: owner.email, role: 'owner' } });
    const { body: own } = await ask(
      `audit?person_id=${made.data[0].person.id}&action=key.create&account_id=${owner.id}`,
    );
    expect(own.data).toHaveLength(1);
    expect((await ask('audit?actor=key')).body.data).toEqual([]);
    expect((await ask('audit?to=2026-01-01T00:00:00Z')).body.data).toEqual([]);
    expect((await ask('audit?actor=robot')).body.error.param).toBe('actor');
  });
});
