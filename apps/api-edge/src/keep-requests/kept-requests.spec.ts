import { type DurableRequest, newRequestId, type SyncTicket } from '@gateway/contracts';
import { createLogger } from '@gateway/observability';
import type { RequestReader } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { AdmittedRequest } from '../edge-request.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { KeptRequests } from './kept-requests.service.js';

const REQUEST = {
  requestId: 'req_1',
  body: Buffer.from('{}'),
  model: { vendor: 'openai' },
} as unknown as AdmittedRequest;
const KEEPING = { webhookUrl: null, queuedResponse: undefined, retentionMs: undefined };

const FULL = 'acct_full';

const LIMIT = 1_000;

const keptRequests = (requests: RequestReader) =>
  new KeptRequests(
    requests,
    undefined,
    { resultRetentionMs: 1, storageLimits: { bytes: LIMIT, objects: 1 } },
    { deleteResults: () => Promise.reject(new Error('no file')) },
    { has: (accountId) => accountId === FULL },
    createLogger({ service: 'test', level: 'silent' }),
  );

/** Adds a request while PostgreSQL fails with this error. `removals`: what each removal finds. */
function add(failure: Error, removals: readonly (boolean | Error)[]) {
  const left = [...removals];
  const over = Promise.withResolvers<void>();
  const requests = {
    add: () => Promise.reject(failure),
    delete: async () => {
      const found = left.shift();
      if (left.length === 0) over.resolve();
      if (found instanceof Error) throw found;
      return found ?? false;
    },
  } as unknown as RequestReader;
  const kept = keptRequests(requests);
  return { added: kept.add(REQUEST, {} as SyncTicket, KEEPING), over: over.promise, left };
}

describe('a request that could not be added', () => {
  it('is removed until it is found, if PostgreSQL may still add it', async () => {
    const { added, over } = add(new Error('Query read timeout'), [new Error('away'), true]);
    await expect(added).rejects.toMatchObject({ code: 'service_unavailable' });
    await over;
  });

  it('does not wait for its removal, if PostgreSQL is silent', async () => {
    const requests = {
      add: () => Promise.reject(new Error('Query read timeout')),
      delete: () => new Promise(() => undefined),
    } as unknown as RequestReader;
    const added = keptRequests(requests).add(REQUEST, {} as SyncTicket, KEEPING);
    await expect(added).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('is removed once, if it was not sent', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    const { added, left } = add(refused, [false, true]);
    await expect(added).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(left).toEqual([true]);
  });
});

describe('a request of an account that keeps as much as it may', () => {
  it('is refused to a test key, which needs no credit', async () => {
    const limits: number[] = [];
    const requests = {
      add: async ({ limitBytes }: Parameters<RequestReader['add']>[0]) => {
        limits.push(limitBytes);
        return null;
      },
      delete: async () => false,
    } as unknown as RequestReader;
    const kept = keptRequests(requests);
    for (const ticket of [
      { accountId: FULL, isTest: true },
      { accountId: FULL },
      { accountId: 'acct_a', isTest: true },
    ])
      await expect(kept.add(REQUEST, ticket as SyncTicket, KEEPING)).rejects.toMatchObject({
        code: 'storage_limit_exceeded',
      });
    expect(limits).toEqual([0, LIMIT, LIMIT]);
  });
});

describe('a kept request', () => {
  const seenBy = async (limits: Partial<ReturnType<typeof keyOf>>, request: Partial<DurableRequest>) => {
    const requests = { find: async () => request } as unknown as RequestReader;
    return (await keptRequests(requests).findAny({ ...keyOf(), ...limits }, newRequestId())) !== undefined;
  };

  it.each([
    ['without limits', {}, true],
    ['for its model', { models: ['gp-5.4-mini'] }, true],
    ['for another model', { models: ['gm-2.5-flash'] }, false],
    // Completions have the rights of chats.
    ['for its endpoint', { endpoints: ['chat.completions'] }, true],
    ['for another endpoint', { endpoints: ['embeddings'] }, false],
  ] as const)('shows itself to a key %s: %j, %s', async (_which, limits, isSeen) => {
    expect(await seenBy(limits, { model: 'gp-5.4-mini', endpoint: 'completions' })).toBe(isSeen);
  });
});
