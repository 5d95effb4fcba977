import { CHAT_PROTOCOL_IDS, type ChatProtocolId } from '@gateway/contracts';
import { DIALECTS } from '@gateway/dialects';
import { describe, expect, it } from '@jest/globals';
import { adapterOf } from '../adapter-of.js';
import { ANY_MODEL, smallCall, targetOf } from '../conformance/calls.js';
import { CHAT_PROTOCOLS } from '../registry.js';

const LONG = `mcp__plugin_chrome-devtools-mcp_chrome-devtools__${'performance_'.repeat(8)}insight`;
const ODD = 'files.read:v2 é';

const MESSAGES = DIALECTS['anthropic-messages'];
const RESPONSES = DIALECTS['openai-responses'];

const toolOf = (name: string) => ({ name, input_schema: { type: 'object', properties: {} } });
const history = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: LONG, input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }] },
];

const callOf = (id: ChatProtocolId, request: object) => ({ ...smallCall(ANY_MODEL[id]), request });

/** What follows `"name":"` in a body, without repeats. */
const namesIn = (body: unknown): readonly string[] => [
  ...new Set([...String(body).matchAll(/"name":"([^"]*)"/g)].map(([, name = '']) => name)),
];

describe.each(CHAT_PROTOCOL_IDS.filter((id) => id !== 'anthropic-messages'))('names of tools over %s', (id) => {
  const adapter = adapterOf(MESSAGES, { protocol: id });
  const request = { model: 'm', max_tokens: 300, tools: [LONG, ODD, 'plain'].map(toolOf), messages: history };
  const { body } = adapter.buildRequest(callOf(id, request), targetOf(ANY_MODEL[id]));

  it('are those that the API takes, the same in tools and history', () => {
    const sent = namesIn(body);
    expect(sent.every((name) => CHAT_PROTOCOLS[id].toolName.test(name))).toBe(true);
    expect(sent).toContain('plain');
    expect(sent).toHaveLength(3);
  });

  it('are the client’s own again in the answer, whole and streamed', () => {
    const [sent = ''] = namesIn(body).filter((name) => name.startsWith('mcp__'));
    const { reply, stream } = CALLS_OF[id](sent);
    const call = callOf(id, request);
    const whole = adapter.readReply(Buffer.from(JSON.stringify(reply)), call);
    expect(JSON.parse(Buffer.from(whole.body).toString('utf8'))).toMatchObject({ content: [{ name: LONG }] });
    const reader = adapter.openReader(callOf(id, { ...request, stream: true }));
    const text =
      Buffer.from(reader.read(Buffer.from(stream))).toString('utf8') + Buffer.from(reader.end()).toString('utf8');
    expect(namesIn(text)).toEqual([LONG]);
  });
});

const data = (...events: readonly (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

const chatCalls = (name: string) => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  const call = { id: 'call_9', type: 'function', function: { name, arguments: '{}' } };
  const head = { id: 'x', created: 1, model: 'v' };
  return {
    reply: {
      ...head,
      choices: [{ index: 0, message: { role: 'assistant', tool_calls: [call] }, finish_reason: 'tool_calls' }],
      usage,
    },
    stream: data(
      { ...head, choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage },
      '[DONE]',
    ),
  };
};

/** An answer with one call of a name, for each protocol. */
const CALLS_OF: Readonly<
  Record<ChatProtocolId, (name: string) => { readonly reply: object; readonly stream: string }>
> = {
  'openai-chat': chatCalls,
  'dashscope-chat': chatCalls,
  'anthropic-messages': () => ({ reply: {}, stream: '' }),
  'gemini-generate': (name) => {
    const reply = {
      candidates: [{ content: { role: 'model', parts: [{ functionCall: { name, args: {} } }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
    };
    return { reply, stream: data(reply) };
  },
  'openai-responses': (name) => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'call_9', name, arguments: '{}', status: 'completed' };
    const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
    const reply = {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'v',
      output: [item],
      usage,
    };
    return {
      reply,
      stream: data(
        { type: 'response.created', response: { ...reply, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
        { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1', arguments: '{}' },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: reply },
      ),
    };
  },
};

it('keeps long names of a namespace and of free text apart', () => {
  const adapter = adapterOf(RESPONSES, { protocol: 'gemini-generate' });
  const tools = ['function', 'custom'].map((type) => ({ type, name: type, description: 'x' }));
  const request = {
    model: 'm',
    input: 'Hi',
    tools: [{ type: 'namespace', name: 'n'.repeat(70), description: 'x', tools }],
  };
  const call = () => callOf('gemini-generate', request);
  const sent = namesIn(adapter.buildRequest(call(), targetOf(ANY_MODEL['gemini-generate'])).body);
  expect(new Set(sent).size).toBe(2);
  expect(sent.every((name) => name.length <= 64)).toBe(true);
  const parts = sent.map((name) => ({ functionCall: { name, args: { input: 'text' } } }));
  const reply = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata: {} };
  const { body } = adapter.readReply(Buffer.from(JSON.stringify(reply)), call());
  expect(JSON.parse(Buffer.from(body).toString('utf8'))).toMatchObject({
    output: [
      { type: 'function_call', name: 'function', namespace: 'n'.repeat(70), arguments: '{"input":"text"}' },
      { type: 'custom_tool_call', name: 'custom', namespace: 'n'.repeat(70), input: 'text' },
    ],
  });
});
