import { describe, expect, it } from '@jest/globals';
import { AnswerBody } from './response-body.js';

/** A body of which a test is the connection; what it asks of its connection is noted. */
function open() {
  const asked: string[] = [];
  const body = new AnswerBody({
    pause: () => asked.push('pause'),
    resume: () => asked.push('resume'),
    cut: () => asked.push('cut'),
    explain: (error) => new Error(`explained: ${String(error)}`),
  });
  return { body, asked };
}

const piece = (text: string) => Buffer.from(text);
const block = (bytes: number) => Buffer.alloc(bytes, 'x');

async function rest(body: AnswerBody): Promise<string[]> {
  const read: string[] = [];
  for await (const bytes of body) read.push(bytes.toString());
  return read;
}

describe('AnswerBody', () => {
  it('gives its pieces in order, those that came before they were asked for and those that come after', async () => {
    const { body, asked } = open();
    body.push(piece('one'));
    body.push(piece('two'));
    const read = rest(body);
    await new Promise(setImmediate);
    body.push(piece('three'));
    body.push(piece('four'));
    body.end();
    expect(await read).toEqual(['one', 'two', 'three', 'four']);
    expect(await body.next()).toEqual({ done: true, value: undefined });
    expect(asked).toEqual([]);
  });

  it('holds its connection back once 64 KiB are unread, and lets it go on when there are less', async () => {
    const { body, asked } = open();
    body.push(block(65_535));
    expect(asked).toEqual([]);
    body.push(block(65_536));
    body.push(block(1));
    expect(asked).toEqual(['pause']);
    await body.next();
    expect(asked).toEqual(['pause']);
    await body.next();
    expect(asked).toEqual(['pause', 'resume']);
    body.push(block(65_536));
    expect(asked).toEqual(['pause', 'resume', 'pause']);
  });

  it('is in order too where more comes the moment that its connection goes on', async () => {
    const body: AnswerBody = new AnswerBody({
      pause: () => undefined,
      resume: () => body.push(piece('last')),
      cut: () => undefined,
      explain: (error) => error as Error,
    });
    body.push(block(65_536));
    expect((await body.next()).value).toHaveLength(65_536);
    expect((await body.next()).value?.toString()).toBe('last');
  });

  it('gives what came before it broke, and then says why it did', async () => {
    const { body } = open();
    body.push(piece('one'));
    body.fail('reset');
    body.fail('again');
    expect((await body.next()).value?.toString()).toBe('one');
    await expect(body.next()).rejects.toThrow('explained: reset');
    await expect(body.next()).rejects.toThrow('explained: reset');
  });

  it('tells who waits for a piece that it broke', async () => {
    const { body } = open();
    const waiting = body.next();
    body.fail('reset');
    await expect(waiting).rejects.toThrow('explained: reset');
  });

  it('has no rest for who leaves it, and its connection is cut, once', async () => {
    const { body, asked } = open();
    const waiting = body.next();
    await body.return();
    body.fail('cut');
    await body.return();
    expect([await waiting, await body.next()]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(asked).toEqual(['cut']);
  });

  it('does not cut a connection whose answer is whole', async () => {
    const { body, asked } = open();
    body.push(piece('one'));
    body.end();
    await body.return();
    expect([await rest(body), asked]).toEqual([[], []]);
  });
});
