import { describe, expect, it } from '@jest/globals';
import { readFrame } from './socket-frame.js';
import { SocketHistory } from './socket-history.js';

const frame = (message: object) => readFrame(Buffer.from(JSON.stringify({ type: 'response.create', ...message })));

describe('a message of a socket', () => {
  it('is the body of a streamed request, without what only sockets have', () => {
    const read = frame({ model: 'm', input: 'a', generate: false, stream: false, store: false });
    expect(JSON.parse(read.body.toString())).toEqual({ model: 'm', input: 'a', store: false, stream: true });
    expect([read.type, read.generates, read.members.isStored]).toEqual(['response.create', false, false]);
  });

  it.each([
    ['nonsense', 'A message must be a JSON object.'],
    ['[1]', 'A message must be a JSON object.'],
    ['{"type":"response.create","stream_id":"a"}', "'stream_id': expected none"],
    ['{"type":"response.create","background":true}', "'background': a socket streams"],
  ])('is refused: %s', (message, expected) => {
    expect(() => readFrame(Buffer.from(message))).toThrow(expected);
  });
});

describe('the history of a socket', () => {
  it('is put before the input of the turn that continues it, and of no other', () => {
    const history = new SocketHistory(() => true);
    const first = history.continue(frame({ input: 'one', store: false }));
    history.remember('resp_a', first.elements, '{"output":[{"id":"msg_a"}]}');
    const second = history.continue(frame({ input: 'two', previous_response_id: 'resp_a' }));
    expect(JSON.parse(second.body.toString())).toMatchObject({
      previous_response_id: null,
      input: [{ content: 'one' }, { id: 'msg_a' }, { content: 'two' }],
    });
    const other = history.continue(frame({ input: 'two', previous_response_id: 'resp_b' }));
    expect([other.elements, JSON.parse(other.body.toString()).input]).toEqual([undefined, 'two']);
    history.forget();
    expect(history.continue(frame({ input: 'two', previous_response_id: 'resp_a' })).elements).toBeUndefined();
  });

  it('is not remembered beyond its limit', () => {
    const history = new SocketHistory(() => true);
    history.remember('resp_a', [Buffer.alloc(9 * 1024 * 1024)], undefined);
    expect(history.continue(frame({ input: 'x', previous_response_id: 'resp_a' })).elements).toBeUndefined();
  });
});
