import type { AnswerFrame, NeutralAnswer, StreamPart, TokenCounts, VendorData } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ResponsesView } from './decode-request.js';
import { openAiResponses } from './index.js';

const { decodeRequest, encodeAnswer, openEncoder } = openAiResponses;
const counts: TokenCounts = { promptTokens: 7, cachedTokens: 2, completionTokens: 5, reasoningTokens: 1 };
const vendor: VendorData = { protocol: 'anthropic-messages', data: { signature: 'c2ln' } };

const frameOf = (request: object = {}): AnswerFrame<ResponsesView> => ({
  publicModel: 'gm-2.5-flash',
  requestId: 'req_abcdefghijklmnopqrstuvwxyz',
  createdSeconds: 1_795_169_100,
  nowSeconds: () => 1_800_000_000,
  view: decodeRequest({ model: 'gm-2.5-flash', input: 'Hi', ...request }).view,
});

type Json = Readonly<Record<string, unknown>>;
interface Event extends Json {
  readonly type: string;
  readonly sequence_number: number;
  readonly item?: Json;
}
interface ResponseJson extends Json {
  readonly output: readonly Json[];
}

const answerOf = (content: NeutralAnswer['content'], request?: object, finish: NeutralAnswer['finish'] = 'stop') =>
  JSON.parse(Buffer.from(encodeAnswer({ content, finish, counts }, frameOf(request))).toString()) as ResponseJson;

function eventsOf(parts: readonly StreamPart[], request?: object): readonly Event[] {
  const encoder = openEncoder(frameOf(request));
  const text = encoder.open({ counts }) + parts.map((part) => encoder.part(part)).join('') + encoder.close(counts);
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [name, data] = event.split('\n');
      const json = JSON.parse(String(data).slice('data: '.length)) as Event;
      expect(name).toBe(`event: ${json.type}`);
      return json;
    });
}

/** An answer with everything in it, as a stream. */
const PARTS: readonly StreamPart[] = [
  { type: 'reasoning', block: 0, delta: 'Let me ' },
  { type: 'reasoning', block: 0, delta: 'think.' },
  { type: 'end', block: 0, of: 'reasoning', vendor },
  { type: 'text', block: 1, delta: 'It is ' },
  { type: 'text', block: 1, delta: 'sunny.' },
  { type: 'citation', block: 1, citation: { url: 'https://a.example', title: 'A', start: 0, end: 5 } },
  { type: 'end', block: 1, of: 'text' },
  { type: 'tool-call', block: 2, id: 'call_1', name: 'get_weather', kind: 'function' },
  { type: 'tool-input', block: 2, delta: '{"city":' },
  { type: 'tool-call', block: 3, id: 'call_2', name: 'apply', kind: 'custom' },
  { type: 'tool-input', block: 3, delta: 'free ' },
  { type: 'tool-input', block: 2, delta: '"Lisbon"}' },
  { type: 'end', block: 2, of: 'tool-call' },
  { type: 'tool-input', block: 3, delta: 'text' },
  { type: 'end', block: 3, of: 'tool-call' },
  { type: 'finish', reason: 'tool-calls' },
];

const CONTENT: NeutralAnswer['content'] = [
  { type: 'reasoning', text: 'Let me think.', vendor },
  { type: 'text', text: 'It is sunny.', citations: [{ url: 'https://a.example', title: 'A', start: 0, end: 5 }] },
  { type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function', input: '{"city":"Lisbon"}', path: '' },
  { type: 'tool-call', id: 'call_2', name: 'apply', kind: 'custom', input: 'free text', path: '' },
];

describe('an answer of the Responses protocol', () => {
  it('has an item for each part, and custom tools stay custom', () => {
    const { output, ...response } = answerOf(CONTENT);
    expect(response).toMatchObject({
      id: 'resp_abcdefghijklmnopqrstuvwxyz',
      status: 'completed',
      created_at: 1_795_169_100,
      completed_at: 1_800_000_000,
      usage: { input_tokens: 7, output_tokens: 5, total_tokens: 12, output_tokens_details: { reasoning_tokens: 1 } },
    });
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'custom_tool_call']);
    expect(output[3]).toMatchObject({ call_id: 'call_2', name: 'apply', input: 'free text' });
  });

  it('is the same streamed and whole, ids of its items included', () => {
    const events = eventsOf(PARTS);
    const last = events.at(-1) as unknown as { readonly response: ResponseJson };
    expect(last.response).toEqual(answerOf(CONTENT));
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(done.toSorted((a, b) => String(a?.id).slice(-4).localeCompare(String(b?.id).slice(-4)))).toEqual(
      last.response.output,
    );
  });

  it('numbers its events, and begins and ends each item once', () => {
    const events = eventsOf(PARTS);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      ...['created', 'in_progress', 'output_item.added', 'reasoning_summary_part.added'],
      ...['reasoning_summary_text.delta', 'reasoning_summary_text.delta', 'reasoning_summary_text.done'],
      ...['reasoning_summary_part.done', 'output_item.done', 'output_item.added', 'content_part.added'],
      ...['output_text.delta', 'output_text.delta', 'output_text.annotation.added', 'output_text.done'],
      ...['content_part.done', 'output_item.done', 'output_item.added', 'function_call_arguments.delta'],
      ...['output_item.added', 'custom_tool_call_input.delta', 'function_call_arguments.delta'],
      ...['function_call_arguments.done', 'output_item.done', 'custom_tool_call_input.delta'],
      ...['custom_tool_call_input.done', 'output_item.done', 'completed'],
    ]);
  });

  it('says why it is incomplete, and counts a refusal in words as complete', () => {
    const text = { type: 'text', text: 'Half' } as const;
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect(answerOf([text], {}, 'length')).toMatchObject({ ...cut, output: [{ status: 'incomplete' }] });
    const events = eventsOf([
      { type: 'text', block: 0, delta: 'Half' },
      { type: 'finish', reason: 'length' },
    ]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { ...cut, output: [{ status: 'incomplete' }] },
    });
    expect(answerOf([], {}, 'filtered')).toMatchObject({ incomplete_details: { reason: 'content_filter' } });
    const refusal = answerOf([{ type: 'refusal', text: 'No.' }], {}, 'filtered');
    expect(refusal).toMatchObject({
      status: 'completed',
      output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }],
    });
  });

  it('shows an image that a model has made', () => {
    const part = {
      type: 'media',
      media: 'image',
      source: { kind: 'base64', data: 'AAAA' },
      clientType: '',
      path: '',
    } as const;
    expect(answerOf([part]).output).toMatchObject([{ type: 'image_generation_call', result: 'AAAA' }]);
    expect(eventsOf([{ type: 'part', block: 0, part }]).at(-1)).toMatchObject({
      response: { output: [{ type: 'image_generation_call', result: 'AAAA' }] },
    });
  });
});

describe('tools that clients send unasked', () => {
  const tools = [
    { type: 'namespace', name: 'files', description: 'x', tools: [{ type: 'function', name: 'read' }] },
    { type: 'local_shell' },
    { type: 'web_search' },
    { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
    { type: 'tool_search' },
  ];

  it('are functions of the client, or left to the protocol with their place', () => {
    const { request } = decodeRequest({ model: 'm', input: 'Hi', tools });
    expect(request.tools).toMatchObject([
      { type: 'function', name: 'files__read' },
      { type: 'function', name: 'local_shell' },
      { type: 'vendor', path: 'tools[2]' },
      { type: 'custom', name: 'apply_patch', format: { syntax: 'lark' } },
      { type: 'vendor', path: 'tools[4]' },
    ]);
  });

  it('are called under the names and in the form that the client gave', () => {
    const call = { type: 'tool-call', kind: 'function', path: '' } as const;
    const input = '{"command":["ls","-l"]}';
    const content = [
      { ...call, id: 'c1', name: 'files__read', input: '{}' },
      { ...call, id: 'c2', name: 'local_shell', input },
    ];
    const expected = [
      { type: 'function_call', namespace: 'files', name: 'read', call_id: 'c1' },
      { type: 'local_shell_call', call_id: 'c2', action: { type: 'exec', command: ['ls', '-l'], env: {} } },
    ];
    expect(answerOf(content, { tools }).output).toMatchObject(expected);
    const parts = content.flatMap(({ id, name, input: text }, block): readonly StreamPart[] => [
      { type: 'tool-call', block, id, name, kind: 'function' },
      { type: 'tool-input', block, delta: text },
      { type: 'end', block, of: 'tool-call' },
    ]);
    expect(eventsOf(parts, { tools }).at(-1)).toMatchObject({ response: { output: expected } });
  });

  it('of a search for tools join the others', () => {
    const item = { type: 'tool_search_output', tools: [{ type: 'function', name: 'found' }] };
    const { request } = decodeRequest({ model: 'm', input: [{ role: 'user', content: 'Hi' }, item] });
    expect(request).toMatchObject({ tools: [{ name: 'found' }], messages: [{ role: 'user' }] });
  });
});

describe('a request of the Responses protocol', () => {
  it('gets its own items back: reasoning with its opaque data, calls and results in one message each', () => {
    const { output } = answerOf(CONTENT);
    const results = [
      { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      { type: 'custom_tool_call_output', call_id: 'call_2', output: [{ type: 'input_text', text: 'done' }] },
    ];
    const { messages } = decodeRequest({
      model: 'm',
      instructions: 'Be brief.',
      input: [{ role: 'user', content: 'Hi' }, ...output, ...results],
    }).request;
    expect(messages).toMatchObject([
      { role: 'system', content: [{ text: 'Be brief.' }] },
      { role: 'user', content: [{ text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Let me think.', vendor },
          { type: 'text', text: 'It is sunny.' },
          { type: 'tool-call', id: 'call_1', name: 'get_weather', kind: 'function' },
          { type: 'tool-call', id: 'call_2', name: 'apply', kind: 'custom', input: 'free text' },
        ],
      },
      {
        role: 'tool',
        content: [
          { id: 'call_1', kind: 'function', content: [{ text: 'rain' }] },
          { id: 'call_2', kind: 'custom', content: [{ text: 'done' }] },
        ],
      },
    ]);
  });

  it('keeps data of a vendor in the id of a call', () => {
    const call = { type: 'tool-call', id: 'c', name: 'f', kind: 'function', input: '{}', path: '', vendor } as const;
    const { output } = answerOf([call]);
    const { messages } = decodeRequest({ model: 'm', input: [{ role: 'user', content: 'Hi' }, ...output] }).request;
    expect(messages[1]).toMatchObject({ content: [{ id: 'c', vendor }] });
  });

  it('has the effort of its last update, which is no message', () => {
    const updateOf = (effort: string) => ({ type: 'configuration_update', reasoning: { effort } });
    const input = [updateOf('low'), { role: 'user', content: 'Hi' }, updateOf('high')];
    const { request } = decodeRequest({ model: 'm', input, reasoning: { effort: 'medium' } });
    expect(request.settings.effort).toBe('high');
    expect(request.messages).toHaveLength(1);
    const none = {
      model: 'm',
      input: [{ type: 'configuration_update' }, ...input.slice(1, 2)],
      reasoning: { effort: 'low' },
    };
    expect(decodeRequest(none).request.settings.effort).toBe('low');
  });

  it('decodes media, settings and the choice of a tool', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' },
      { type: 'input_file', file_data: 'BBBB', filename: 'a.pdf' },
      { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
    ];
    const { request } = decodeRequest({
      model: 'm',
      input: [
        { role: 'developer', content: 'A' },
        { role: 'user', content },
      ],
      reasoning: { effort: 'low' },
      text: { format: { type: 'json_schema', name: 's', schema: {} }, verbosity: 'low' },
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
      max_output_tokens: 9,
      stream: true,
    });
    expect(request).toMatchObject({
      messages: [
        { role: 'system' },
        {
          role: 'user',
          content: [
            { media: 'image', mediaType: 'image/png', detail: 'low', path: 'input[1].content[0]' },
            { media: 'file', source: { kind: 'base64', data: 'BBBB' }, filename: 'a.pdf' },
            { media: 'audio', mediaType: 'audio/wav' },
          ],
        },
      ],
      toolChoice: { type: 'allowed', names: ['f'], isRequired: true },
      settings: { effort: 'low', verbosity: 'low', maxOutputTokens: 9, format: { type: 'schema', name: 's' } },
      streams: true,
    });
  });
});
