import { describe, expect, it } from '@jest/globals';
import { ResponseBody } from './response-body.js';

/** A body with a fake connection that records its calls. */
function open() {
  const calls: string[] = [];
  const body = new ResponseBody({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    cut: () => calls.push('cut'),
    classify: (error) => new Error(`classified: ${String(error)}`),
  });
  return { body, calls };
}

const chunk = (text: string) => Buffer.from(text);
const block = (bytes: number) => Buffer.alloc(bytes, 'x');

async function readAll(body: ResponseBody): Promise<string[]> {
  const read: string[] = [];
  for await (const bytes of body) read.push(bytes.toString());
  return read;
}

describe('ResponseBody', () => {
  it('gives its chunks in order, those that arrive before a read and those after', async () => {
    const { body, calls } = open();
    body.push(chunk('one'));
    body.push(chunk('two'));
    const read = readAll(body);
    await new Promise(setImmediate);
    body.push(chunk('three'));
    body.push(chunk('four'));
    body.end();
    expect(await read).toEqual(['one', 'two', 'three', 'four']);
    expect(await body.next()).toEqual({ done: true, value: undefined });
    expect(calls).toEqual([]);
  });

  it('pauses its connection at 64 KiB unread, and resumes it below', async () => {
    const { body, calls } = open();
    body.push(block(65_535));
    expect(calls).toEqual([]);
    body.push(block(65_536));
    body.push(block(1));
    expect(calls).toEqual(['pause']);
    await body.next();
    expect(calls).toEqual(['pause']);
    await body.next();
    expect(calls).toEqual(['pause', 'resume']);
    body.push(block(65_536));
    expect(calls).toEqual(['pause', 'resume', 'pause']);
  });

  it('keeps the order if a chunk arrives during the resume', async () => {
    const body: ResponseBody = new ResponseBody({
      pause: () => undefined,
      resume: () => body.push(chunk('last')),
      cut: () => undefined,
      classify: (error) => error as Error,
    });
    body.push(block(65_536));
    expect((await body.next()).value).toHaveLength(65_536);
    expect((await body.next()).value?.toString()).toBe('last');
  });

  it('gives the buffered chunks before a failure, then rejects', async () => {
    const { body } = open();
    body.push(chunk('one'));
    body.fail('reset');
    body.fail('again');
    expect((await body.next()).value?.toString()).toBe('one');
    await expect(body.next()).rejects.toThrow('classified: reset');
    await expect(body.next()).rejects.toThrow('classified: reset');
  });

  it('rejects a waiting read at a failure', async () => {
    const { body } = open();
    const waiting = body.next();
    body.fail('reset');
    await expect(waiting).rejects.toThrow('classified: reset');
  });

  it('discards the remaining chunks on return, and cuts the connection once', async () => {
    const { body, calls } = open();
    const waiting = body.next();
    await body.return();
    body.fail('cut');
    await body.return();
    expect([await waiting, await body.next()]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(calls).toEqual(['cut']);
  });

  it('does not cut the connection of a complete body', async () => {
    const { body, calls } = open();
    body.push(chunk('one'));
    body.end();
    await body.return();
    expect([await readAll(body), calls]).toEqual([[], []]);
  });
});
