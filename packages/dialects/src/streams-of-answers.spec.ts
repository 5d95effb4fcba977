import { describe, expect, it } from '@jest/globals';
import { streamOfCompletion, streamOfContent, streamOfMessage, textChunkOf, textCompletionOf } from './index.js';

const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .flatMap((event) => /^data: (\{.*)$/m.exec(event)?.slice(1) ?? [])
    .map((data) => JSON.parse(data) as Record<string, unknown>);

const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 5,
  model: 'gp-5-pro',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hi', refusal: null, tool_calls: [call] },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ],
  usage,
};
const bytes = (value: object) => Buffer.from(JSON.stringify(value));

describe('a stream of a complete answer', () => {
  it('of chat has the text, the calls with their index, the end and the counts on request', () => {
    const text = streamOfCompletion(bytes(completion), true);
    const deltas = eventsOf(text).flatMap(({ choices }) => choices as { delta: object; finish_reason: unknown }[]);
    expect(deltas.map(({ delta }) => delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hi' },
      { tool_calls: [{ index: 0, ...call }] },
      {},
    ]);
    expect(deltas.at(-1)?.finish_reason).toBe('tool_calls');
    expect(eventsOf(text).at(-1)).toMatchObject({ choices: [], usage });
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(streamOfCompletion(bytes(completion), false)).not.toContain('usage');
  });

  it('of messages has each block, its deltas and the stop reason', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
    ];
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content };
    const whole = {
      ...message,
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const events = eventsOf(streamOfMessage(bytes(whole)));
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['message_delta', 'message_stop'],
    ]);
    expect(events[0]).toMatchObject({ message: { content: [], usage: { input_tokens: 3, output_tokens: 0 } } });
    expect(events).toContainEqual({
      type: 'content_block_delta',
      index: 2,
      delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
    });
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 4 } });
  });
});

describe("a stream of a complete answer in Google's format", () => {
  const answer = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] };

  it('is one event, or a list of one', () => {
    expect(eventsOf(streamOfContent(bytes(answer), 'sse'))).toEqual([answer]);
    expect(JSON.parse(`\n${streamOfContent(bytes(answer), 'array')}`)).toEqual([answer]);
  });
});

describe('a text completion', () => {
  it('is the text of the chat, with its counts', () => {
    expect(JSON.parse(Buffer.from(textCompletionOf(completion)).toString())).toEqual({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 5,
      model: 'gp-5-pro',
      choices: [{ text: 'Hi', index: 0, logprobs: null, finish_reason: 'tool_calls' }],
      usage,
    });
  });

  it('has a chunk for each text, for the end and for the counts, and none for anything else', () => {
    const chunk = (delta: object, finish_reason: string | null = null) =>
      textChunkOf({ id: 'chatcmpl-1', choices: [{ delta, finish_reason }] });
    expect(chunk({ role: 'assistant', content: '' })).toBeUndefined();
    expect(chunk({ reasoning_content: 'hm' })).toBeUndefined();
    expect(chunk({ content: 'Hi' })).toContain('"text":"Hi"');
    expect(chunk({}, 'stop')).toContain('"finish_reason":"stop"');
    expect(textChunkOf({ id: 'chatcmpl-1', choices: [], usage })).toContain('"choices":[],"usage"');
  });
});
