import { type ChatModelTraits, type ChatProtocolId, type DialectId, isGatewayError } from '@gateway/contracts';
import { DIALECTS } from '@gateway/dialects';
import { describe, expect, it } from '@jest/globals';
import { adapterOf } from '../adapter-of.js';
import { FIELD_TABLES, type FieldTableId } from '../field-tables.js';
import { JsonMembers } from '../json/json-members.js';

type Body = Readonly<Record<string, unknown>>;

/** A value of each field that a table carries to a translation. Its loss would change the answer or its bill. */
const CHAT: Body = {
  cache_control: { type: 'ephemeral' },
  frequency_penalty: 0.5,
  logit_bias: { 5: 1 },
  logprobs: true,
  max_completion_tokens: 777,
  max_tokens: 777,
  metadata: { a: 'b' },
  parallel_tool_calls: false,
  presence_penalty: 0.5,
  prompt_cache_key: 'k',
  prompt_cache_options: { mode: 'explicit' },
  prompt_cache_retention: '24h',
  reasoning_effort: 'high',
  response_format: { type: 'json_object' },
  safety_identifier: 's',
  seed: 4242,
  stop: ['x'],
  stream: true,
  temperature: 0.25,
  tool_choice: 'required',
  top_logprobs: 3,
  top_p: 0.5,
  user: 'u',
  verbosity: 'low',
};

const GENERATE: Body = {
  systemInstruction: { parts: [{ text: 'Be brief' }] },
  toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  'generationConfig.frequencyPenalty': 0.5,
  'generationConfig.logprobs': 3,
  'generationConfig.maxOutputTokens': 777,
  'generationConfig.presencePenalty': 0.5,
  'generationConfig.responseJsonSchema': { type: 'object', properties: { a: { type: 'string' } } },
  'generationConfig.responseLogprobs': true,
  'generationConfig.responseMimeType': 'text/plain',
  'generationConfig.responseSchema': { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
  'generationConfig.seed': 4242,
  'generationConfig.stopSequences': ['x'],
  'generationConfig.temperature': 0.25,
  'generationConfig.thinkingConfig': { thinkingLevel: 'high' },
  'generationConfig.topK': 7,
  'generationConfig.topP': 0.5,
};

/** What each request has, and the fields that a test of their own covers or that change the events only. */
const PRESENT = new Set([
  ...['messages', 'model', 'n', 'tools', 'contents', 'generationConfig', 'generationConfig.candidateCount'],
  'stream_options',
]);

const traits: ChatModelTraits = {
  maxOutputTokens: 32_000,
  temperature: { max: 2 },
  efforts: { none: 'none', low: 'low', high: 'high' },
  thinking: 'adaptive',
  hiddenReasoning: 'on_request',
  inputs: [],
  media: { image: { most: 1 } },
};
const target = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'm' };
const parameters = { type: 'object', properties: {} };

const CHAT_BODY: Body = {
  model: 'm',
  messages: [{ role: 'user', content: 'As json' }],
  reasoning_effort: 'low',
  tools: [{ type: 'function', function: { name: 'f', parameters } }],
};
const GENERATE_BODY: Body = {
  contents: [{ role: 'user', parts: [{ text: 'As json' }] }],
  generationConfig: { responseMimeType: 'application/json' },
  tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: parameters }] }],
};

function withField(body: Body, path: string, value: unknown): Body {
  const [first = '', second] = path.split('.');
  return { ...body, [first]: second === undefined ? value : { ...(body[first] as Body), [second]: value } };
}

/** What the upstream gets, and what the response reports of it. */
function sentBy(dialect: DialectId, protocol: ChatProtocolId, request: Body) {
  const adapter = adapterOf(DIALECTS[dialect], { protocol });
  const facts = { publicModel: 'm', traits, requestId: 'req_abcdefghijklmnopqrstuvwxyz', createdSeconds: 1 };
  const members = JsonMembers.from(request) as JsonMembers<never>;
  try {
    const { body, url, changes } = adapter.buildRequest({ request, members, ...facts } as never, target);
    return {
      wire: `${url}\n${String(body)}`,
      reported: [...(changes?.dropped ?? []), ...Object.keys(changes?.filled ?? {})],
    };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { refused: error.details.param };
  }
}

/** Each table beside the translations that a request which it admits may take. */
const TRANSLATIONS: readonly (readonly [FieldTableId, DialectId, ChatProtocolId, Body, Body])[] = [
  // A model with two protocols admits by one table what the other one serves.
  ['openai-chat', 'openai-chat', 'openai-responses', CHAT_BODY, CHAT],
  ['openai-responses', 'openai-chat', 'openai-responses', CHAT_BODY, CHAT],
  ['anthropic-messages', 'openai-chat', 'anthropic-messages', CHAT_BODY, CHAT],
  ['gemini-generate', 'openai-chat', 'gemini-generate', CHAT_BODY, CHAT],
  ...(['openai-chat', 'openai-responses', 'anthropic-messages', 'dashscope-chat'] as const).map(
    (protocol) => ['generate-to-neutral', 'gemini-generate', protocol, GENERATE_BODY, GENERATE] as const,
  ),
];

describe.each(TRANSLATIONS)('a field that %s admits, from %s to %s', (table, dialect, protocol, body, samples) => {
  const admitted = Object.entries(FIELD_TABLES[table].fields)
    .filter(([path, { kind }]) => (kind === 'free' || kind === 'priced') && !path.includes('[]') && !PRESENT.has(path))
    .map(([path]) => path)
    .filter((path) => !path.includes('.') || path.startsWith('generationConfig.'));

  it.each(admitted)('%s reaches the vendor, is reported or is refused', (path) => {
    expect(Object.keys(samples)).toContain(path);
    const without = sentBy(dialect, protocol, body);
    const sent = sentBy(dialect, protocol, withField(body, path, samples[path]));
    expect(without.wire).toBeDefined();
    if (sent.wire === without.wire) expect(sent.reported).not.toEqual(without.reported);
    if (sent.wire === undefined) expect(sent.refused).toBeDefined();
  });
});
