import { describe, expect, it } from '@jest/globals';
import { judgeResponse, mayRunAgain } from './judge-response.js';

const ID = `req_${'a'.repeat(26)}`;
const response = (status: number, headers: Record<string, string> = {}, body = '{}') => ({
  status,
  headers: { 'x-request-id': 'req_own', ...headers },
  body: Buffer.from(body),
});

describe('judgeResponse', () => {
  it.each([
    ['a response', response(200, { location: `/v1/requests/${ID}`, 'x-cost-usd': '0.5' }), 'ended'],
    ['a failure of the vendor', response(502, { location: `/v1/requests/${ID}` }), 'ended'],
    ['a record', response(202, {}, `{"id":"${ID}"}`), 'running'],
    ['a bad request', response(400), 'refused'],
    ['a model that the key may not use', response(403), 'refused'],
    ['a lost response', response(409), 'refused'],
    ['a request that runs already', response(409, { 'retry-after': '2' }), 'later'],
    ['a limit', response(429, { 'retry-after': '1', 'retry-after-ms': '40' }), 'later'],
    ['an edge without its stores', response(503), 'later'],
    ['a revoked key', response(401), 'blocked'],
    ['a batch that this edge does not know yet', response(401, { 'retry-after': '5' }), 'later'],
    ['no credit', response(402), 'blocked'],
  ])('%s', (_name, given, kind) => {
    expect(judgeResponse(given).kind).toBe(kind);
  });

  it('reads cost, ids and times', () => {
    const ended = judgeResponse(response(200, { location: `/v1/requests/${ID}`, 'x-cost-usd': '0.000000007' }));
    expect(ended).toEqual({ kind: 'ended', requestId: ID, costNanoUsd: 7n });
    expect(judgeResponse(response(429, { 'retry-after': '1', 'retry-after-ms': '40' }))).toEqual({
      kind: 'later',
      afterMs: 40,
      isLimited: true,
    });
    expect(judgeResponse(response(503))).toMatchObject({ afterMs: 1_000, isLimited: false });
    expect(judgeResponse(response(402, { 'x-batch-budget': 'exceeded' }))).toEqual({ kind: 'blocked', by: 'budget' });
  });

  it('runs only what cost nothing and may succeed later again', () => {
    expect([429, 502, 504].map((status) => mayRunAgain(status, 0n))).toEqual([true, true, true]);
    expect([mayRunAgain(400, 0n), mayRunAgain(502, 1n)]).toEqual([false, false]);
  });
});
