import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { OpenedResponse } from '../opened-response.js';
import { usageOf } from '../test-support/fakes.js';
import { openWholeStream, type WholeForm, WholeReader } from './whole-stream.js';

const plan = {
  contentType: 'text/event-stream',
  toStream: (body: Uint8Array) => `data: ${body}\n\n`,
} satisfies WholeForm;
const reply: OpenedResponse = {
  kind: 'unary',
  body: Buffer.from('x'),
  usage: usageOf({ output_token: 3 }),
  upstreamId: 'u',
};

async function textOf(opened: Awaited<ReturnType<typeof openWholeStream>>): Promise<string> {
  let text = Buffer.from(opened.firstBytes).toString();
  for (;;) {
    const { done, value } = await opened.remaining.next();
    if (done) return text;
    text += Buffer.from(opened.reader.read(value)).toString();
  }
}

describe('a stream of a whole answer', () => {
  it('is the answer alone if that comes soon', async () => {
    const reader = new WholeReader();
    const opened = await openWholeStream(plan, Promise.resolve(reply), reader);
    expect(await textOf(opened)).toBe('data: x\n\n');
    expect(reader.usage()).toEqual(usageOf({ output_token: 3 }));
    expect([reader.isFinal, reader.end().length, reader.upstreamId]).toEqual([true, 0, 'u']);
  });

  it('has comments until the answer comes', async () => {
    const reader = new WholeReader();
    let finish: (value: OpenedResponse) => void = () => undefined;
    const opening = new Promise<OpenedResponse>((resolve) => {
      finish = resolve;
    });
    const opened = await openWholeStream(plan, opening, reader, 1);
    expect(reader.isFinal).toBe(false);
    expect(reader.usage().isEstimated).toBe(true);
    expect(() => reader.end()).toThrow(GatewayError);
    expect(Buffer.from((await opened.remaining.next()).value as Buffer).toString()).toMatch(/^: .*\n\n$/);
    finish(reply);
    expect(await textOf(opened)).toMatch(/^(: .*\n\n)+data: x\n\n$/);
  });

  it('has what its format allows until the answer comes', async () => {
    const { promise, resolve } = Promise.withResolvers<OpenedResponse>();
    const array = { ...plan, toStream: (body: Uint8Array) => `["${body}"]`, progress: '\n' };
    const opened = await openWholeStream(array, promise, new WholeReader(), 1);
    resolve(reply);
    const text = await textOf(opened);
    expect(text).toMatch(/^\n+\[/);
    expect(JSON.parse(text)).toEqual(['x']);
  });

  it('keeps the status of an early error, and ends with a late one', async () => {
    const failure = new GatewayError('upstream_error', 'No.');
    await expect(openWholeStream(plan, Promise.reject(failure), new WholeReader())).rejects.toBe(failure);
    let fail: (error: Error) => void = () => undefined;
    const opening = new Promise<OpenedResponse>((_, reject) => {
      fail = reject;
    });
    const opened = await openWholeStream(plan, opening, new WholeReader(), 1);
    fail(failure);
    await expect(textOf(opened)).rejects.toBe(failure);
  });
});
