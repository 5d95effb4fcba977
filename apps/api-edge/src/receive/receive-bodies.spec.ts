import { Readable } from 'node:stream';
import type { ErrorCode } from '@gateway/contracts';
import { createMetrics } from '@gateway/observability';
import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { setCaller } from '../http/request-context.js';
import { edgeMetrics } from '../observability/metrics.js';
import { FakeReply } from '../test-support/edge-fakes.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import { BodyRoom } from './body-room.js';
import { ReadPace } from './read-pace.js';
import { ReceiveBodies } from './receive-bodies.service.js';
import { Refusals } from './refusals.js';

const MIB = 1024 * 1024;
const ADDRESS = '192.0.2.1';
const key = keyOf();

/** A request with the members that this class reads. Its route takes bodies of any length. */
function receive(headers: Record<string, string>, { isComplete = true } = {}) {
  const reply = new FakeReply(headers, key);
  const request = Object.assign(reply.request, {
    ip: ADDRESS,
    raw: { complete: isComplete },
    routeOptions: { url: '/v1/chat/completions', bodyLimit: 1_024 * MIB },
  }) as FastifyRequest;
  return { request, reply: reply.asReply };
}

function open() {
  const refusals = new Refusals(1, () => 0);
  const room = new BodyRoom({ memory: 1_024 * MIB, disk: 0 });
  const funds = { maySpend: async () => true };
  const bodies = new ReceiveBodies(room, refusals, new ReadPace(1), funds, edgeMetrics(createMetrics('test')));
  /** Whether so many refusals of a request refuse the next requests of its key. */
  const isRefusedAfter = (request: FastifyRequest, times: number, code: ErrorCode = 'rate_limit_exceeded') => {
    for (let count = 0; count < times; count += 1) bodies.count(request, code);
    try {
      refusals.check(key.keyId, ADDRESS);
      return false;
    } catch {
      return true;
    }
  };
  return { bodies, isRefusedAfter };
}

describe('a refused request', () => {
  it('counts, and so do the bytes of a body that was read to its end', () => {
    expect(open().isRefusedAfter(receive({}).request, 31)).toBe(true);
    expect(open().isRefusedAfter(receive({ 'content-length': '100' }).request, 1)).toBe(false);
    expect(open().isRefusedAfter(receive({ 'content-length': `${2 * MIB}` }).request, 1)).toBe(true);
  });

  it('counts without the bytes of a body that was not read', () => {
    const unread = receive({ 'content-length': `${2 * MIB}` }, { isComplete: false });
    expect(open().isRefusedAfter(unread.request, 1)).toBe(false);
  });

  it('does not count if it is a line of a batch, which must not refuse the requests of its key', () => {
    const { request } = receive({});
    const budget = { budgetNanoUsd: null, spentNanoUsd: '0', budgetEndsAtMs: 0 };
    setCaller(request, { key, batch: { batchId: 'batch_a', keySha256: '', ...budget, expiresAtMs: 0 } });
    expect(open().isRefusedAfter(request, 1_000)).toBe(false);
  });

  it('does not count if its sender is not known', () => {
    const request = { ...receive({}).request } as FastifyRequest;
    expect(open().isRefusedAfter(request, 1_000)).toBe(false);
  });

  it('does not count if it was refused for its room: it would refuse its client for ever', async () => {
    const { bodies, isRefusedAfter } = open();
    const { request, reply } = receive({ 'transfer-encoding': 'chunked' });
    await bodies.open(request, reply, Readable.from([]));
    expect(() => bodies.grow(request, 129 * MIB)).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
    expect(isRefusedAfter(request, 1_000)).toBe(false);
  });
});
