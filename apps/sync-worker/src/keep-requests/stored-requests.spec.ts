import type { DurableRequest } from '@gateway/contracts';
import { createLogger } from '@gateway/observability';
import type { NewClaim, RequestStore } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { ticketOf } from '../test-support/fakes.js';
import type { EndStoredRequest } from './end-stored-request.service.js';
import { StoredRequests } from './stored-requests.service.js';

/** A worker whose claims fail with these errors in turn, and then succeed. */
function setUp(failures: readonly Error[]) {
  const owners: string[] = [];
  const left = [...failures];
  const requests = {
    claim: async ({ owner, ticket }: NewClaim) => {
      owners.push(owner);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return { request: { requestId: ticket.requestId, ticket, createdAtMs: Date.now() } as DurableRequest, body };
    },
  } as unknown as RequestStore;
  const stored = new StoredRequests(
    requests,
    { read: () => Promise.reject(new Error('no object')) } as never,
    { renew: () => Promise.reject(new Error('no hold')) } as never,
    { publishChange: () => undefined } as unknown as EndStoredRequest,
    { reach: () => undefined },
    createLogger({ service: 'test', level: 'silent' }),
  );
  return { owners, claim: () => stored.claim(ticketOf({ bodyIn: 'row' })) };
}

const body = Buffer.from('{}');

describe('a claim', () => {
  it('is repeated by the same owner when its reply is lost', async () => {
    const { owners, claim } = setUp([new Error('Query read timeout')]);
    const claimed = await claim();
    expect(claimed).toMatchObject({ requestId: 'req_1' });
    expect(owners).toHaveLength(2);
    expect(new Set(owners).size).toBe(1);
  });

  it('goes on after a lost reply while PostgreSQL refuses connections', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    const { owners, claim } = setUp([new Error('Connection terminated unexpectedly'), refused]);
    expect(await claim()).toMatchObject({ requestId: 'req_1' });
    expect(new Set(owners).size).toBe(1);
  });

  it('that was not sent goes back to the queue at once', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    const { owners, claim } = setUp([refused]);
    expect(await claim()).toBe('unreachable');
    expect(owners).toHaveLength(1);
  });
});
