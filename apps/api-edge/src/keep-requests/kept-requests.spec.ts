import type { SyncTicket } from '@gateway/contracts';
import { createLogger } from '@gateway/observability';
import type { RequestReader } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { AdmittedRequest } from '../edge-request.js';
import { KeptRequests } from './kept-requests.service.js';

const REQUEST = {
  requestId: 'req_1',
  body: Buffer.from('{}'),
  model: { vendor: 'openai' },
} as unknown as AdmittedRequest;
const KEEPING = { webhookUrl: null, queuedResponse: undefined, retentionMs: undefined };

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
  const kept = new KeptRequests(
    requests,
    undefined,
    { resultRetentionMs: 1, storageLimits: { bytes: 1_000, objects: 1 } },
    { deleteResults: () => Promise.reject(new Error('no file')) },
    createLogger({ service: 'test', level: 'silent' }),
  );
  return { added: kept.add(REQUEST, {} as SyncTicket, KEEPING), over: over.promise, left };
}

describe('a request that could not be added', () => {
  it('is removed until it is found, if PostgreSQL may still add it', async () => {
    const { added, over } = add(new Error('Query read timeout'), [new Error('away'), true]);
    await expect(added).rejects.toMatchObject({ code: 'service_unavailable' });
    await over;
  });

  it('is removed once, if it was not sent', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    const { added, left } = add(refused, [false, true]);
    await expect(added).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(left).toEqual([true]);
  });
});
