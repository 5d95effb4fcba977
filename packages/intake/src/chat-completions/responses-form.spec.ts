import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

const MODELS = ['gp-5.4-mini', 'gp-5.4-pro', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash'];
const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const image = 'data:image/png;base64,AAAA';

function validate(id: string, fields: object) {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS['chat.completions'].validate({ model: id, ...fields }, model);
}

function refusedParam(fields: object): string | undefined {
  try {
    validate('gp-5.4-mini', fields);
  } catch (error) {
    if (isGatewayError(error)) return error.details.param;
  }
  return undefined;
}

/** What Cursor sends to `/v1/chat/completions`: its forum has a recording. */
const CURSOR = {
  input: [
    { role: 'system', content: 'You edit code.' },
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Read it' },
        { type: 'input_image', image_url: image },
      ],
    },
    { type: 'reasoning', summary: [] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I read.' }] },
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
    { type: 'function_call', call_id: 'c2', name: 'read', arguments: '{"path":"b"}' },
    { type: 'function_call_output', call_id: 'c1', output: 'A' },
    { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'B' }] },
  ],
  stream: true,
  stream_options: { include_usage: true },
  store: false,
  include: ['reasoning.encrypted_content'],
  reasoning: { effort: 'medium', summary: 'auto' },
  text: { verbosity: 'low' },
  tools: [{ type: 'function', name: 'read', description: 'Reads', parameters, strict: false }, { type: 'web_search' }],
  tool_choice: 'auto',
};

const MESSAGES = [
  { role: 'system', content: 'You edit code.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Read it' },
      { type: 'image_url', image_url: { url: image } },
    ],
  },
  {
    role: 'assistant',
    content: [{ type: 'text', text: 'I read.' }],
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      { id: 'c2', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'A' },
  { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'B' }] },
];

describe('a chat in the form of the Responses protocol', () => {
  it.each(MODELS)('becomes the chat that it means, is held as it, and is reported: %s', (id) => {
    const tools = [{ type: 'function', function: { name: 'read', description: 'Reads', parameters, strict: false } }];
    const { rewritten, changes, ...valid } = validate(id, CURSOR);
    expect(rewritten).toEqual({
      model: id,
      messages: MESSAGES,
      stream: true,
      stream_options: { include_usage: true },
      tools,
      tool_choice: 'auto',
      ...(rewritten?.reasoning_effort !== undefined && { reasoning_effort: 'medium' }),
    });
    expect(changes?.filled).toMatchObject({ messages: 'input' });
    const lost = ['include', 'text.verbosity', 'input.reasoning', 'tools[1]', 'reasoning.summary'];
    expect(changes?.dropped).toEqual(expect.arrayContaining(lost));
    const { changes: _, rewritten: __, ...same } = validate(id, rewritten ?? {});
    expect(valid).toEqual(same);
  });

  it('translates instructions, the cap, schemas, free tools and choices', () => {
    const format = { type: 'json_schema', name: 'a', schema: parameters };
    const grammar = { syntax: 'lark', definition: 'start: "a"' };
    const { rewritten } = validate('gp-5.4-mini', {
      ...{ instructions: 'Be brief.', input: 'Hi', max_output_tokens: 9, text: { format } },
      tools: [{ type: 'custom', name: 'patch', format: { type: 'grammar', ...grammar } }],
      tool_choice: { type: 'custom', name: 'patch' },
    });
    expect(rewritten).toEqual({
      model: 'gp-5.4-mini',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      max_completion_tokens: 9,
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: parameters } },
      tools: [{ type: 'custom', custom: { name: 'patch', format: { type: 'grammar', grammar } } }],
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
    });
  });

  it('leaves out rules for tools without a tool', () => {
    const fields = { input: 'Hi', tools: [], tool_choice: 'auto', parallel_tool_calls: true };
    expect(validate('gp-5.4-mini', fields).rewritten).toEqual({
      model: 'gp-5.4-mini',
      messages: [{ role: 'user', content: 'Hi' }],
    });
  });

  it('takes time in proportion to its items', () => {
    const call = { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' };
    const input = [{ role: 'user', content: 'Hi' }, ...Array.from({ length: 50_000 }, () => call)];
    // Quadratic work would take minutes.
    const { rewritten } = validate('gp-5.4-mini', { input });
    expect(rewritten?.messages).toMatchObject([{ role: 'user' }, { tool_calls: { length: 50_000 } }]);
  });

  it('translates a call and a result of free text', () => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'a' },
      { type: 'custom_tool_call_output', call_id: 'c', output: '' },
    ];
    expect(validate('gp-5.4-mini', { input }).rewritten?.messages).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'patch', input: 'a' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '' },
    ]);
  });

  it('shows the image of a result after it', () => {
    const input = [
      { type: 'function_call', call_id: 'c', name: 'screenshot', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', image_url: image }] },
    ];
    expect(validate('cl-sonnet-4-6', { input }).rewritten?.messages).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', tool_call_id: 'c', content: 'The next message shows the result.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Result of screenshot:' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
    ]);
  });

  it.each([
    ['input[0].content', { input: [{ role: 'user', content: 7 }] }],
    ['previous_response_id', { input: 'Hi', previous_response_id: 'resp_1' }],
    ['conversation', { input: 'Hi', conversation: 'conv_1' }],
    ['background', { input: 'Hi', background: true }],
    ['input[0]', { input: [{ type: 'local_shell_call', call_id: 'c', action: {} }] }],
    [
      'input[0].content[0].file_url',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://a.example/a.pdf' }] }] },
    ],
  ])('is refused with the name of what has no place in a chat: %s', (param, fields) => {
    expect(refusedParam(fields)).toBe(param);
  });

  it('leaves a body with messages alone', () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    expect(validate('cl-sonnet-4-6', { messages, input: 'Hi' })).not.toHaveProperty('rewritten');
  });
});
