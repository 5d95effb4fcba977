import type { AccountId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleAdmission, settlementForAdmission } from '../../../billing/src/test-support/test-billing.js';
import { AccountInterface } from '../test-support/account-interface.js';

interface SentEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any event
  readonly data: any;
}

let accounts: AccountInterface;
let owner: Awaited<ReturnType<AccountInterface['register']>>;

/** A client that reads one event after another. */
class Follower {
  #text = '';

  private constructor(
    readonly reader: ReadableStreamDefaultReader<string>,
    readonly end: () => void,
  ) {}

  static async open(token: string, lastEventId?: string): Promise<Follower> {
    const abort = new AbortController();
    const response = await fetch(`${accounts.address}/account/stream`, {
      headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: abort.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const body = response.body as ReadableStream<Uint8Array>;
    const reader = body
      .pipeThrough(new TextDecoderStream() as never)
      .getReader() as ReadableStreamDefaultReader<string>;
    return new Follower(reader, () => abort.abort());
  }

  /** The next event; of this type if there is one. */
  async next(type?: string): Promise<SentEvent> {
    for (;;) {
      const [, id, event, data] = /id: (.*)\nevent: (.*)\ndata: (.*)\n\n/.exec(this.#text) ?? [];
      if (id === undefined || event === undefined || data === undefined) {
        const { done, value } = await this.reader.read();
        if (done) throw new Error('the stream has ended');
        this.#text += value;
        continue;
      }
      this.#text = this.#text.slice(this.#text.indexOf(data) + data.length + 2);
      if (type === undefined || event === type) return { id, event, data: JSON.parse(data) };
    }
  }

  async ended(): Promise<void> {
    while (!(await this.reader.read()).done);
  }
}

/** Runs a request of the account, and returns its id. */
async function charge(): Promise<string> {
  const admission = sampleAdmission(owner.id as AccountId, 9_000n);
  await accounts.resources.admissionStore.admit(admission);
  await accounts.resources.admissionStore.settle({
    ...settlementForAdmission(admission, 1_000n),
    settledAtMs: Date.now(),
  });
  return admission.requestId;
}

beforeAll(async () => {
  accounts = await AccountInterface.open();
  owner = await accounts.register();
  const credit = { amount_usd: '5', reason: 'test', reference: owner.id };
  await accounts.call('POST', `/admin/accounts/${owner.id}/credits`, credit, accounts.adminToken);
  const escrow = { accountId: owner.id, missingNanoUsd: '1000000' };
  await accounts.call('POST', '/internal/escrow', escrow, accounts.internalToken);
});

afterAll(() => accounts.close());

describe('the event stream of an account', () => {
  it('has each request when it is booked, and the balance after it', async () => {
    const follower = await Follower.open(owner.token);
    expect((await follower.next('balance')).data).toMatchObject({ balance_usd: '5.00' });
    const requestId = await charge();
    expect((await follower.next('request')).data).toMatchObject({ request_id: requestId, cost_usd: '0.000001' });
    expect((await follower.next('balance')).data).toMatchObject({ balance_usd: '4.999999' });
    follower.end();
  });

  it('resumes after the last event of its client, without a gap', async () => {
    const first = await Follower.open(owner.token);
    await first.next('balance');
    await charge();
    const { id } = await first.next('request');
    first.end();
    const missed = await charge();
    const second = await Follower.open(owner.token, id);
    const seen: string[] = [];
    while (!seen.includes(missed)) seen.push((await second.next('request')).data.request_id);
    expect(new Set(seen).size).toBe(seen.length);
    second.end();
  });

  it('has the events of the account', async () => {
    const follower = await Follower.open(owner.token);
    await follower.next('balance');
    const { body: key } = await accounts.call(
      'POST',
      '/account/webhook-endpoints',
      { url: 'https://a.example/' },
      owner.token,
    );
    await accounts.call('POST', `/account/webhook-endpoints/${key.id}/test`, {}, owner.token);
    expect((await follower.next('webhook.test')).data).toMatchObject({ type: 'webhook.test', subject: key.id });
    follower.end();
  });

  it('shows another account nothing of this one', async () => {
    const other = await accounts.register();
    const stranger = await Follower.open(other.token);
    const own = await Follower.open(owner.token);
    await stranger.next();
    await own.next('balance');
    const requestId = await charge();
    while ((await own.next('request')).data.request_id !== requestId);
    own.end();
    const credit = { amount_usd: '7', reason: 'test', reference: other.id };
    await accounts.call('POST', `/admin/accounts/${other.id}/credits`, credit, accounts.adminToken);
    expect(await stranger.next()).toMatchObject({ event: 'balance', data: { balance_usd: '7.00' } });
    stranger.end();
  });

  it('ends with the session of its client', async () => {
    const { body } = await accounts.call('POST', '/account/login', { email: owner.email, password: 'correct horse' });
    const follower = await Follower.open(body.token);
    await follower.next('balance');
    await accounts.call('POST', '/account/logout', {}, body.token);
    await follower.ended();
  });

  it('refuses an id of another stream, and a key without the right', async () => {
    const refused = await fetch(`${accounts.address}/account/stream`, {
      headers: { authorization: `Bearer ${owner.token}`, 'last-event-id': 'evt_1' },
    });
    expect(refused.status).toBe(400);
    const { body: key } = await accounts.call('POST', '/account/keys', { name: 'k' }, owner.token);
    expect((await accounts.call('GET', '/account/stream', undefined, key.key)).status).toBe(403);
  });

  it('answers a HEAD with the head alone, and counts no stream', async () => {
    const reader = await accounts.register();
    for (let count = 0; count <= 20; count += 1) {
      const { status, headers } = await fetch(`${accounts.address}/account/stream`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${reader.token}` },
        signal: AbortSignal.timeout(5_000),
      });
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
  });

  it('refuses the twenty-first stream of an account', async () => {
    const busy = await accounts.register();
    const open = await Promise.all(Array.from({ length: 20 }, () => Follower.open(busy.token)));
    expect((await accounts.call('GET', '/account/stream', undefined, busy.token)).status).toBe(429);
    for (const follower of open) follower.end();
  });
});

describe('an answer that an operator follows', () => {
  const follow = (path: string, token: string) =>
    fetch(`${accounts.address}${path}`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });

  /** Reads events until one has this text. */
  async function untilText(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: string): Promise<string> {
    const decoder = new TextDecoder();
    for (let read = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the stream ended before ${wanted}: ${read}`);
      read += decoder.decode(value, { stream: true });
      const event = read.split('\n\n').find((one) => one.startsWith('data: ') && one.includes(wanted));
      if (event !== undefined) return event;
    }
  }

  it('comes at once, and again when it changes', async () => {
    const response = await follow('/admin/administrators', accounts.adminToken);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = JSON.parse((await untilText(reader, '"data"')).slice('data: '.length));
    const named = await accounts.call('POST', '/admin/administrators', { name: 'Eve' }, accounts.adminToken);
    const next = JSON.parse((await untilText(reader, named.body.id)).slice('data: '.length));
    expect(next.data).toHaveLength(first.data.length + 1);
    await reader.cancel();
  });

  it('ends when its administrator may read no more', async () => {
    const { body: administrator } = await accounts.call(
      'POST',
      '/admin/administrators',
      { name: 'Short' },
      accounts.adminToken,
    );
    const response = await follow('/admin/channels', administrator.token);
    await accounts.call('DELETE', `/admin/administrators/${administrator.id}`, undefined, accounts.adminToken);
    expect(await response.text()).toMatch(/^data: /);
  });

  it('is refused like any other read', async () => {
    const wrong = await follow('/admin/tasks?problem=moon', accounts.adminToken);
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ error: { param: 'problem' } });
    expect((await follow('/admin/channels', owner.token)).status).toBe(401);
  });
});
