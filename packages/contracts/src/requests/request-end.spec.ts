import { describe, expect, it } from '@jest/globals';
import type { DurableRequest } from './durable-request.js';
import { decodeRequestEnd, encodeRequestEnd } from './request-end.js';

const accepted = {
  requestId: 'req_a',
  accountId: 'acct_a',
  status: 'queued',
  version: 1,
  settlement: null,
  response: null,
  error: null,
  startedAtMs: null,
  finishedAtMs: null,
} as unknown as DurableRequest;

const ended: DurableRequest = {
  ...accepted,
  ...{ status: 'completed', version: 3, startedAtMs: 5, finishedAtMs: 9 },
  settlement: { costNanoUsd: '7' } as unknown as DurableRequest['settlement'],
  response: { status: 200, headers: { 'content-type': 'audio/mpeg' }, bytes: 3 },
  shortResponse: Buffer.from([0, 255, 128]),
};

describe('the end of a request', () => {
  it.each([
    ['with a response', ended],
    ['with an error', { ...ended, status: 'failed', response: null, error: { code: 'worker_lost' } }],
  ])('%s is sent and read unchanged', (_name, request) => {
    const { shortResponse, ...without } = request as DurableRequest;
    const sent = request.response === null ? without : { ...without, shortResponse };
    const { requestId, end } = decodeRequestEnd(encodeRequestEnd(sent as DurableRequest) ?? '');
    expect([requestId, end(accepted)]).toEqual(['req_a', sent]);
  });

  it('is not sent before it, or with a response in the store', () => {
    const { shortResponse: _bytes, ...long } = ended;
    expect([encodeRequestEnd(accepted), encodeRequestEnd(long)]).toEqual([undefined, undefined]);
  });
});
