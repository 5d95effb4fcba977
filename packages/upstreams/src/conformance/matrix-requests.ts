import type { DialectId, RequestFeature, VendorData } from '@gateway/contracts';

export type Body = Readonly<Record<string, unknown>>;

/** A word that a request holds once. What an upstream gets must hold it, too. */
export const MARK = 'MARKxyz0';

/** How each feature shows in the bytes for an upstream, where that is not the mark. */
export const SIGNS: Readonly<Partial<Record<RequestFeature, RegExp>>> = {
  'single tool call': /"(parallel_tool_calls":false|disable_parallel_tool_use":true)/,
  'forced tool': /"(tool_choice|toolConfig)":.*MARKxyz0/,
  'tool error': /"is_error":true|"error":|"status":"incomplete"/,
  'cache mark': /"cache_control":/,
  'output cap': /:777\b/,
  temperature: /"temperature":0\.25\b/,
  'top k': /"(top_k|topK)":7\b/,
  seed: /"seed":4242\b/,
  logprobs: /"(logprobs|responseLogprobs)":true|"top_logprobs":3/,
  effort: /"(reasoning_effort|effort|thinkingLevel)":"low"|thinking_?[bB]udget|budget_tokens/,
};

const chat = (content: unknown, more: Body = {}): Body => ({ messages: [{ role: 'user', content }], ...more });
const chatTool = (name: string): Body => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
});
const chatCalls = [{ id: 'c1', type: 'function', function: { name: 'w', arguments: '{}' } }];

const CHAT: Readonly<Partial<Record<RequestFeature, Body>>> = {
  text: chat(MARK),
  instruction: {
    messages: [
      { role: 'system', content: MARK },
      { role: 'user', content: 'Hi' },
    ],
  },
  tools: chat('Hi', { tools: [chatTool(MARK)] }),
  'single tool call': chat('Hi', { tools: [chatTool('a'), chatTool('b')], parallel_tool_calls: false }),
  'forced tool': chat('Hi', {
    tools: [chatTool(MARK)],
    tool_choice: { type: 'function', function: { name: MARK } },
  }),
  'tool result': {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: chatCalls },
      { role: 'tool', tool_call_id: 'c1', content: MARK },
    ],
  },
  image: chat([{ type: 'image_url', image_url: { url: `data:image/png;base64,${MARK}` } }]),
  file: chat([{ type: 'file', file: { file_data: `data:application/pdf;base64,${MARK}`, filename: 'a.pdf' } }]),
  audio: chat([{ type: 'input_audio', input_audio: { data: MARK, format: 'wav' } }]),
  refusal: {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, refusal: MARK },
      { role: 'user', content: 'Hi' },
    ],
  },
  'custom tool': chat('Hi', { tools: [{ type: 'custom', custom: { name: MARK } }] }),
  reasoning: {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes', reasoning_content: MARK },
      { role: 'user', content: 'Hi' },
    ],
  },
  logprobs: chat('Hi', { logprobs: true }),
  schema: chat('Hi', {
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'a', schema: { type: 'object', properties: { [MARK]: { type: 'string' } } } },
    },
  }),
  stop: chat('Hi', { stop: [MARK] }),
  'output cap': chat('Hi', { max_completion_tokens: 777 }),
  temperature: chat('Hi', { temperature: 0.25 }),
  seed: chat('Hi', { seed: 4242 }),
  effort: chat('Hi', { reasoning_effort: 'low' }),
};

const message = (content: unknown, more: Body = {}): Body => ({
  max_tokens: 5_000,
  messages: [{ role: 'user', content }],
  ...more,
});
const called = { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'w', input: {} }] };
const result = (more: Body) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', ...more }] });
const tool = (name: string): Body => ({ name, input_schema: { type: 'object', properties: {} } });
const source = (mediaType: string): Body => ({ type: 'base64', media_type: mediaType, data: MARK });
const hi = { role: 'user', content: 'Hi' };

const MESSAGES: Readonly<Partial<Record<RequestFeature, Body>>> = {
  text: message(MARK),
  instruction: message('Hi', { system: MARK }),
  tools: message('Hi', { tools: [tool(MARK)] }),
  'single tool call': message('Hi', {
    tools: [tool('a'), tool('b')],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  }),
  'forced tool': message('Hi', { tools: [tool(MARK)], tool_choice: { type: 'tool', name: MARK } }),
  'tool result': message('Hi', { messages: [hi, called, result({ content: MARK })] }),
  'tool error': message('Hi', { messages: [hi, called, result({ content: 'x', is_error: true })] }),
  'image of a tool': message('Hi', {
    messages: [hi, called, result({ content: [{ type: 'image', source: source('image/png') }] })],
  }),
  "vendor's tool": message('Hi', { tools: [{ type: 'web_search_20260318', name: MARK }] }),
  image: message([{ type: 'image', source: source('image/png') }]),
  file: message([{ type: 'document', source: source('application/pdf'), title: 'a.pdf' }]),
  reasoning: message('Hi', {
    messages: [
      hi,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: MARK, signature: 'x' },
          { type: 'text', text: 'Yes' },
        ],
      },
      hi,
    ],
  }),
  schema: message('Hi', {
    output_config: {
      format: { type: 'json_schema', schema: { type: 'object', properties: { [MARK]: { type: 'string' } } } },
    },
  }),
  stop: message('Hi', { stop_sequences: [MARK] }),
  'cache mark': message([{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]),
  'output cap': message('Hi', { max_tokens: 777 }),
  temperature: message('Hi', { temperature: 0.25 }),
  'top k': message('Hi', { top_k: 7 }),
  effort: message('Hi', { output_config: { effort: 'low' } }),
};

const respond = (input: unknown, more: Body = {}): Body => ({ input, ...more });
const part = (content: Body): Body => respond([{ type: 'message', role: 'user', content: [content] }]);
const responsesTool = (name: string): Body => ({
  type: 'function',
  name,
  parameters: { type: 'object', properties: {} },
  strict: false,
});

const RESPONSES: Readonly<Partial<Record<RequestFeature, Body>>> = {
  text: respond(MARK),
  instruction: respond('Hi', { instructions: MARK }),
  tools: respond('Hi', { tools: [responsesTool(MARK)] }),
  'custom tool': respond('Hi', { tools: [{ type: 'custom', name: MARK }] }),
  'single tool call': respond('Hi', { tools: [responsesTool('a'), responsesTool('b')], parallel_tool_calls: false }),
  'forced tool': respond('Hi', { tools: [responsesTool(MARK)], tool_choice: { type: 'function', name: MARK } }),
  'tool result': respond([
    { role: 'user', content: 'Hi' },
    { type: 'function_call', call_id: 'c1', name: 'w', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: MARK },
  ]),
  image: part({ type: 'input_image', image_url: `data:image/png;base64,${MARK}`, detail: 'auto' }),
  file: part({ type: 'input_file', file_data: `data:application/pdf;base64,${MARK}`, filename: 'a.pdf' }),
  reasoning: respond([
    { role: 'user', content: 'Hi' },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: MARK }] },
    { role: 'assistant', content: 'Yes' },
    { role: 'user', content: 'Hi' },
  ]),
  logprobs: respond('Hi', { top_logprobs: 3 }),
  schema: respond('Hi', {
    text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object', properties: { [MARK]: {} } } } },
  }),
  'output cap': respond('Hi', { max_output_tokens: 777 }),
  temperature: respond('Hi', { temperature: 0.25 }),
  effort: respond('Hi', { reasoning: { effort: 'low' } }),
};

const generate = (parts: readonly Body[], more: Body = {}): Body => ({ contents: [{ role: 'user', parts }], ...more });
const say = (more: Body): Body => generate([{ text: 'Hi' }], more);
const declared = (name: string): Body => ({
  functionDeclarations: [{ name, parametersJsonSchema: { type: 'object', properties: {} } }],
});

const GENERATE: Readonly<Partial<Record<RequestFeature, Body>>> = {
  text: generate([{ text: MARK }], { generationConfig: { thinkingConfig: { includeThoughts: true } } }),
  instruction: say({ systemInstruction: { parts: [{ text: MARK }] } }),
  tools: say({ tools: [declared(MARK)] }),
  'forced tool': say({
    tools: [declared(MARK)],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [MARK] } },
  }),
  'tool result': {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ functionCall: { name: 'w', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'w', response: { result: MARK } } }] },
    ],
  },
  image: generate([{ inlineData: { mimeType: 'image/png', data: MARK } }]),
  file: generate([{ inlineData: { mimeType: 'application/pdf', data: MARK } }]),
  audio: generate([{ inlineData: { mimeType: 'audio/wav', data: MARK } }]),
  reasoning: {
    contents: [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts: [{ text: MARK, thought: true }, { text: 'Yes' }] },
      { role: 'user', parts: [{ text: 'Hi' }] },
    ],
  },
  logprobs: say({ generationConfig: { responseLogprobs: true } }),
  schema: say({
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', properties: { [MARK]: { type: 'string' } } },
    },
  }),
  stop: say({ generationConfig: { stopSequences: [MARK] } }),
  'output cap': say({ generationConfig: { maxOutputTokens: 777 } }),
  temperature: say({ generationConfig: { temperature: 0.25 } }),
  'top k': say({ generationConfig: { topK: 7 } }),
  seed: say({ generationConfig: { seed: 4242 } }),
};

/** A request for each feature that the dialect can say. */
export const MATRIX_REQUESTS: Readonly<Record<DialectId, Readonly<Partial<Record<RequestFeature, Body>>>>> = {
  'openai-chat': CHAT,
  'openai-responses': RESPONSES,
  'anthropic-messages': MESSAGES,
  'gemini-generate': GENERATE,
};

/** Data that each protocol understands of its own reasoning. Others take none back. */
export const OWN_REASONING: Readonly<Partial<Record<VendorData['protocol'], VendorData['data']>>> = {
  'anthropic-messages': { signature: MARK },
  'openai-responses': { id: 'rs_1', encrypted_content: MARK },
};
