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
    ['{', 'We could not parse the JSON body'],
    ['{"type":"response.create', 'We could not parse the JSON body'],
    ['{"type":"response.create"}"', 'We could not parse the JSON body'],
    ['{"type":"response.create" "input":"x"}', 'We could not parse the JSON body'],
    ['{"type":"response.create","inp\\ut":"x"}', 'We could not parse the JSON body'],
    ['[1]', 'A message must be a JSON object.'],
    ['{"type":"response.create","stream_id":"a"}', "'stream_id': expected none"],
    ['{"type":"response.create","background":true}', "'background': a socket streams"],
  ])('is refused: %s', (message, expected) => {
    expect(() => readFrame(Buffer.from(message))).toThrow(expected);
  });
});

describe('the history of a socket', () => {
  const bodyOf = (history: SocketHistory, message: object) =>
    JSON.parse(history.continue(frame(message)).body.toString()) as Record<string, unknown>;

  it('is put before the input of the turn that continues it, and of no other', () => {
    const history = new SocketHistory(() => true);
    const first = history.continue(frame({ input: 'one', store: false }));
    history.remember('resp_a', first.prompt, '{"output":[{"id":"msg_a"}]}');
    expect(bodyOf(history, { input: 'two', previous_response_id: 'resp_a' })).toMatchObject({
      previous_response_id: null,
      input: [{ content: 'one' }, { id: 'msg_a' }, { content: 'two' }],
    });
    const other = { input: 'two', previous_response_id: 'resp_b' };
    expect(bodyOf(history, other)).toMatchObject(other);
    history.forget();
    const forgotten = { input: 'two', previous_response_id: 'resp_a' };
    expect(bodyOf(history, forgotten)).toMatchObject(forgotten);
  });

  it('continues the stored response that its first turn continued', () => {
    const history = new SocketHistory(() => true);
    const first = history.continue(frame({ input: 'one', store: false, previous_response_id: 'resp_stored' }));
    history.remember('resp_a', first.prompt, '{"output":[{"id":"msg_a"}]}');
    const second = history.continue(frame({ input: 'two', store: false, previous_response_id: 'resp_a' }));
    const both = [{ content: 'one' }, { id: 'msg_a' }, { content: 'two' }];
    expect(JSON.parse(second.body.toString())).toMatchObject({ previous_response_id: 'resp_stored', input: both });
    history.remember('resp_b', second.prompt, undefined);
    expect(bodyOf(history, { input: 'three', previous_response_id: 'resp_b' })).toMatchObject({
      previous_response_id: 'resp_stored',
      input: [...both, { content: 'three' }],
    });
  });

  it.each([
    ['beyond its limit', { storedId: undefined, elements: [Buffer.alloc(9 * 1024 * 1024)] }],
    ['of a conversation', new SocketHistory(() => true).continue(frame({ input: 'x', conversation: 'conv_a' })).prompt],
  ])('is not remembered %s', (_, prompt) => {
    const history = new SocketHistory(() => true);
    history.remember('resp_a', prompt, undefined);
    const message = { input: 'x', previous_response_id: 'resp_a' };
    expect(bodyOf(history, message)).toMatchObject(message);
  });
});
