import { type ChatModelTraits, type ChatProtocolId, parseExactJson } from '@gateway/contracts';
import { DIALECTS } from '@gateway/dialects';
import { describe, expect, it } from '@jest/globals';
import { adapterOf } from '../adapter-of.js';
import { readCut } from './read-cut.js';

/** More than a number can hold: `JSON.parse` makes 12345678901234567000 of it. */
const ID = '12345678901234567891';
const ARGUMENTS = `{"id":${ID},"ids":[-${ID}]}`;

const traits: ChatModelTraits = {
  maxOutputTokens: 32_000,
  temperature: { max: 2 },
  efforts: { none: 'none', low: 'low' },
  thinking: 'adaptive',
  hiddenReasoning: 'on_request',
  inputs: [],
  media: { image: { most: 1 } },
};

const target = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'm' };
const FACTS = { publicModel: 'm', requestId: 'req_abcdefghijklmnopqrstuvwxyz', createdSeconds: 1_795_168_800, traits };

const adapterFrom = (dialect: keyof typeof DIALECTS, protocol: ChatProtocolId) =>
  adapterOf(DIALECTS[dialect], { protocol });

const CHAT = {
  model: 'm',
  messages: [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: ARGUMENTS } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: `{"found":${ID}}` },
  ],
};

const call = `{"name":"f","args":${ARGUMENTS}}`;
const result = `{"name":"f","response":{"output":{"found":${ID}}}}`;

/** As the worker parses them. */
const MESSAGES = parseExactJson(`{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"Hi"},
  {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"f","input":${ARGUMENTS}}]},
  {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\\"found\\":${ID}}"}]}]}`);
const CONTENTS = parseExactJson(`{"contents":[{"role":"user","parts":[{"text":"Hi"}]},
  {"role":"model","parts":[{"functionCall":${call}}]},{"role":"user","parts":[{"functionResponse":${result}}]}]}`);

const REPLIES = {
  'anthropic-messages': `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f",
    "input":${ARGUMENTS}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
  'gemini-generate': `{"candidates":[{"content":{"parts":[{"functionCall":${call}}]},"finishReason":"STOP"}],
    "usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`,
  'openai-responses': `{"id":"resp_1","status":"completed","output":[{"type":"function_call","id":"fc_1","call_id":"c1",
    "name":"f","arguments":${JSON.stringify(ARGUMENTS)}}],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}`,
} as const satisfies Partial<Record<ChatProtocolId, string>>;

/** The arguments as the client reads them, in a text or as an object. */
const argumentsIn = (text: string): string => text.replaceAll('\\"', '"');

describe('integers of 64 bits in calls and their results', () => {
  it.each([
    ['openai-chat', 'anthropic-messages', CHAT],
    ['openai-chat', 'gemini-generate', CHAT],
    ['anthropic-messages', 'gemini-generate', MESSAGES],
    ['anthropic-messages', 'openai-responses', MESSAGES],
    ['anthropic-messages', 'openai-chat', MESSAGES],
    ['gemini-generate', 'anthropic-messages', CONTENTS],
    ['gemini-generate', 'openai-responses', CONTENTS],
  ] as const)('are sent with all digits: %s to %s', (dialect, protocol, request) => {
    const { body } = adapterFrom(dialect, protocol).buildRequest({ ...FACTS, request: request as never }, target);
    const sent = argumentsIn(String(body));
    expect(sent).toContain(ARGUMENTS);
    expect(sent).toContain(`"found":${ID}`);
  });

  it.each([
    ['openai-chat', 'anthropic-messages'],
    ['openai-chat', 'gemini-generate'],
    ['openai-responses', 'anthropic-messages'],
    ['openai-responses', 'gemini-generate'],
    ['anthropic-messages', 'gemini-generate'],
    ['anthropic-messages', 'openai-responses'],
    ['gemini-generate', 'anthropic-messages'],
    ['gemini-generate', 'openai-responses'],
  ] as const)('are answered with all digits: %s from %s', (dialect, protocol) => {
    const request = { 'openai-chat': CHAT, 'openai-responses': { model: 'm', input: 'Hi' } } as const;
    const others = { 'anthropic-messages': MESSAGES, 'gemini-generate': CONTENTS };
    const whole = { ...FACTS, request: { ...request, ...others }[dialect] as never };
    const { body } = adapterFrom(dialect, protocol).readReply(Buffer.from(REPLIES[protocol]), whole);
    expect(argumentsIn(Buffer.from(body).toString('utf8'))).toContain(ARGUMENTS);
  });

  it.each(['openai-chat', 'anthropic-messages'] as const)('are streamed with all digits: %s', (dialect) => {
    const request = { ...(dialect === 'openai-chat' ? CHAT : (MESSAGES as object)), stream: true } as never;
    const reader = adapterFrom(dialect, 'gemini-generate').openReader({ ...FACTS, request });
    const event = Buffer.from(`data: ${REPLIES['gemini-generate'].replaceAll('\n', '')}\n\n`);
    expect(argumentsIn(readCut(reader, event, []))).toContain(ARGUMENTS);
  });
});
