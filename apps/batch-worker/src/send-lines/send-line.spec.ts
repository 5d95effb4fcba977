import { HttpFailure } from '@gateway/http';
import { describe, expect, it } from '@jest/globals';
import { type EdgeClient, type EdgePost, type EdgeResponse, ResponseTooLarge } from './edge-client.js';
import { LinePace } from './line-pace.js';
import { type LineControl, SendLine } from './send-line.js';

const ID = `req_${'a'.repeat(26)}`;
const LOCATION = { location: `/v1/requests/${ID}` };
const SOON = { 'retry-after': '1', 'retry-after-ms': '1' };

const response = (status: number, headers: Record<string, string> = {}, body: object = {}): EdgeResponse => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(body)),
});
const done = response(200, { ...LOCATION, 'x-cost-usd': '0.000000007' });
const lost = () => new HttpFailure('ambiguous', { wasSent: true, isTimeout: false, code: 'X' });
const unsent = () => new HttpFailure('connect', { wasSent: false, isTimeout: false, code: 'X' });

interface Setting {
  readonly replies: readonly (EdgeResponse | Error)[];
  readonly reads?: readonly (EdgeResponse | Error)[];
  readonly control?: Partial<LineControl>;
  readonly mayHaveBegun?: boolean;
}

/** Sends a line to an edge that replies in this order; after the last reply it repeats that one. */
async function send({ replies, reads = [], control, mayHaveBegun = false }: Setting) {
  const keys: string[] = [];
  const waits: string[] = [];
  let read = 0;
  const edge = {
    async post({ idempotencyKey }: EdgePost) {
      const reply = replies[Math.min(keys.length, replies.length - 1)];
      keys.push(idempotencyKey);
      if (reply instanceof Error) throw reply;
      return reply;
    },
    async get() {
      const reply = reads[read];
      read += 1;
      if (reply instanceof Error) throw reply;
      return reply;
    },
  } as unknown as EdgeClient;
  const given: LineControl = {
    signal: new AbortController().signal,
    isStopped: () => false,
    endedLines: () => 0,
    onBlocked: async () => false,
    onWait: (reason) => waits.push(reason),
    ...control,
  };
  const line = { number: 7, body: Buffer.from('{}'), mayHaveBegun, batchId: 'batch_1', path: '/v1/chat/completions' };
  const end = await new SendLine(edge, new LinePace(() => 8), given, line).run();
  return { end, keys, waits };
}

describe('SendLine', () => {
  it('ends with the response and its cost', async () => {
    const { end, keys } = await send({ replies: [done] });
    expect(end).toMatchObject({ response: { status: 200, requestId: ID }, costNanoUsd: 7n });
    expect(keys).toEqual(['batch_1:7']);
  });

  it('repeats with the same key what was refused for now, or whose reply was lost', async () => {
    const { end, keys, waits } = await send({ replies: [response(429, SOON), response(409, SOON), done] });
    expect(end).toMatchObject({ response: { status: 200 } });
    expect(keys).toEqual(['batch_1:7', 'batch_1:7', 'batch_1:7']);
    expect(waits).toEqual(['limited', 'unavailable']);
  });

  it('reads the result of a request that outlived its connection', async () => {
    const record = { status: 'completed', cost: { charged_usd: '0.000000009' }, response: { status: 200 } };
    const { end } = await send({
      replies: [response(202, {}, { id: ID })],
      reads: [response(200, {}, record), response(200, {}, { a: 1 })],
    });
    expect(end).toMatchObject({ response: { requestId: ID, body: Buffer.from('{"a":1}') }, costNanoUsd: 9n });
  });

  it('reports a result that is gone, and a refusal as the response of the line', async () => {
    const gone = await send({ replies: [response(202, {}, { id: ID })], reads: [response(404)] });
    expect(gone.end).toMatchObject({ error: { code: 'result_lost' } });
    const refused = await send({ replies: [response(400, { 'x-request-id': 'req_own' })] });
    expect(refused.end).toMatchObject({ response: { status: 400, requestId: 'req_own' }, costNanoUsd: 0n });
  });

  it('ends with its cost if its response is too large, at once or after it has outlived its connection', async () => {
    const atOnce = await send({ replies: [new ResponseTooLarge({ ...LOCATION, 'x-cost-usd': '0.000000007' })] });
    const record = { status: 'completed', cost: { charged_usd: '0.000000009' }, response: { status: 200 } };
    const later = await send({
      replies: [response(202, {}, { id: ID })],
      reads: [response(200, {}, record), new ResponseTooLarge({})],
    });
    const error = { code: 'response_too_large', message: expect.stringContaining(`/v1/requests/${ID}/result`) };
    expect([atOnce.end, later.end]).toEqual([
      { error, costNanoUsd: 7n },
      { error, costNanoUsd: 9n },
    ]);
  });

  it('does not begin when its batch stops', async () => {
    const stopped = { isStopped: () => true };
    expect((await send({ replies: [response(429, SOON)], control: stopped })).end).toBeUndefined();
    expect((await send({ replies: [unsent()], control: stopped })).end).toBeUndefined();
    expect((await send({ replies: [response(401)], control: stopped })).end).toBeUndefined();
  });

  it('goes on for a line that may have begun, although its batch stops', async () => {
    const stopped = { isStopped: () => true };
    const earlier = await send({ replies: [response(429, SOON), done], control: stopped, mayHaveBegun: true });
    expect(earlier.end).toMatchObject({ response: { status: 200 } });
    expect((await send({ replies: [lost(), done], control: stopped })).end).toMatchObject({
      response: { status: 200 },
    });
  });

  it('is not called unsent if its key ends after it may have begun', async () => {
    const lostResult = { error: { code: 'result_lost' } };
    const followed = await send({ replies: [response(202, {}, { id: ID })], reads: [response(401)] });
    expect(followed.end).toMatchObject(lostResult);
    expect((await send({ replies: [response(401)], mayHaveBegun: true })).end).toMatchObject(lostResult);
    expect((await send({ replies: [response(401)] })).end).toBeUndefined();
  });

  it('waits while other lines run, if there is no credit', async () => {
    const { end, keys } = await send({ replies: [response(402), done], control: { onBlocked: async () => true } });
    expect(end).toMatchObject({ response: { status: 200 } });
    expect(keys).toHaveLength(2);
  });

  it('leaves a line to the next worker when its process stops', async () => {
    const leaving = new AbortController();
    leaving.abort();
    expect((await send({ replies: [done], control: { signal: leaving.signal } })).end).toBeUndefined();
  });
});
