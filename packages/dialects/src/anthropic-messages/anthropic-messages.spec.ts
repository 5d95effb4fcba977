import {
  type MessagesRequest,
  mayHavePacked,
  messagesRequest,
  type NeutralAnswer,
  type NeutralRequest,
  unpacked,
} from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { anthropicMessages } from './index.js';

const requestOf = (more: object): MessagesRequest =>
  messagesRequest.parse({ model: 'm', max_tokens: 300, messages: [{ role: 'user', content: 'Hi' }], ...more });

const decoded = (more: object): NeutralRequest => anthropicMessages.decodeRequest(requestOf(more)).request;

describe('decodeRequest of messages', () => {
  it('puts tool results before the rest, and keeps vendor tools in their own words', () => {
    const webSearch = { type: 'web_search_20250305', name: 'web_search' };
    const request = decoded({
      system: 'S',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'and now?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '12C' }], is_error: true },
          ],
        },
      ],
      tools: [{ name: 'w', input_schema: { type: 'object', properties: {} } }, webSearch],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      stream: true,
    });
    expect(request.messages).toMatchObject([
      { role: 'system', content: [{ text: 'S' }] },
      { role: 'tool', content: [{ id: 'call_1', content: [{ text: '12C' }], isError: true }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and now?' },
          { type: 'media', media: 'image', mediaType: 'image/png', path: 'messages[0].content[1]' },
        ],
      },
    ]);
    expect(request.tools).toMatchObject([
      { type: 'function', name: 'w' },
      { type: 'vendor', tool: webSearch, path: 'tools[1]' },
    ]);
    expect(request).toMatchObject({
      toolChoice: { type: 'required' },
      settings: { maxOutputTokens: 300, parallelToolCalls: false, stop: ['END'] },
      streams: true,
    });
  });

  it('leaves out the line of the coding assistant that changes with each request', () => {
    const line = 'x-anthropic-billing-header: cc_version=2.1.177.01c; cc_entrypoint=cli; cch=36ee5;';
    const marked = { type: 'text', text: 'You are terse.', cache_control: { type: 'ephemeral' } };
    const textsOf = (system: unknown) =>
      decoded({ system }).messages.flatMap(({ role, content }) =>
        role === 'system' ? content.map((part) => part.text) : [],
      );
    expect(textsOf([{ type: 'text', text: line }, marked])).toEqual(['You are terse.']);
    expect(textsOf(`${line}\nYou are terse.`)).toEqual(['You are terse.']);
    expect(textsOf([{ type: 'text', text: line }])).toEqual([]);
    expect(textsOf(`You are terse.\n${line}`)).toEqual([`You are terse.\n${line}`]);
  });

  it('has a key for the cache from the session of the coding assistant', () => {
    const keyOf = (user_id: string) => decoded({ metadata: { user_id } }).settings.cacheKey;
    const session = '1b671a64-40d5-491e-99b0-da01ff1f3341';
    const own = (device: string) => JSON.stringify({ device_id: device, account_uuid: '', session_id: session });
    expect(keyOf(own('a'))).toMatch(/^[\da-f]{64}$/);
    expect(keyOf(own('b'))).toBe(keyOf(own('a')));
    expect(keyOf(`user_0a1b_account__session_${session}`)).toBe(keyOf(own('a')));
    expect(keyOf(own('a').replace('1b67', '2c78'))).not.toBe(keyOf(own('a')));
    expect(keyOf('alice')).toBeUndefined();
  });

  // Pi, LangChain and Vercel's provider send these: betas inline-tools, mid-conversation-tool-changes and -output-config.
  it('has the tools and the effort of the end of a conversation whose instructions change them', () => {
    const toolOf = (name: string, description = name) => ({ name, description, input_schema: { type: 'object' } });
    const reference = (name: string) => ({ type: 'tool_reference', name });
    const definition = (name: string) => ({ type: 'tool_definition', definition: toolOf(name, 'newer') });
    const removed = ['a', 'b'].map((name) => ({ type: 'tool_removal', tool: reference(name) }));
    const added = [reference('b'), definition('c'), definition('d')].map((tool) => ({ type: 'tool_addition', tool }));
    const { messages, tools, settings } = decoded({
      tools: ['a', 'b', 'c'].map((name) => toolOf(name)),
      output_config: { effort: 'low' },
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'system', content: [{ type: 'text', text: 'Be polite.' }, ...removed, ...added] },
        { role: 'system', content: [], output_config: { effort: 'high' } },
      ],
    });
    expect(messages).toMatchObject([{ role: 'user' }, { role: 'system', content: [{ text: 'Be polite.' }] }]);
    expect(tools).toMatchObject([
      { name: 'c', description: 'newer' },
      { name: 'b', description: 'b' },
      { name: 'd', description: 'newer' },
    ]);
    expect(settings.effort).toBe('high');
  });

  // Claude Code keeps a deferred placeholder among its tools, and adds those that its own search has found.
  it('hides deferred tools until a result refers to them, and where the vendor would search, hides none', () => {
    const toolOf = (name: string, deferred = true) => ({ name, input_schema: {}, defer_loading: deferred });
    const reference = { type: 'tool_reference', tool_name: 'found' };
    const result = { type: 'tool_result', tool_use_id: 'c1', content: [reference] };
    const tools = [toolOf('placeholder'), toolOf('search', false), toolOf('found')];
    const messages = [{ role: 'user', content: [result] }];
    const namesOf = (body: object) =>
      decoded({ messages, tools, ...body }).tools?.map((tool) => 'name' in tool && tool.name);
    expect(namesOf({})).toEqual(['search', 'found']);
    expect(namesOf({ messages: [{ role: 'user', content: 'Hi' }] })).toEqual(['search']);
    expect(namesOf({ tool_choice: { type: 'tool', name: 'placeholder' } })).toContain('placeholder');
    expect(namesOf({ tools: [toolOf('placeholder')] })).toEqual(['placeholder']);
    const vendors = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' };
    expect(namesOf({ tools: [...tools, vendors] })).toHaveLength(4);
  });

  it('keeps thinking with its signature, and blocks of tools that the vendor ran', () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
    const { messages } = decoded({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'redacted_thinking', data: 'x' },
            search,
            { type: 'text', text: 'One moment.', cache_control: { type: 'ephemeral', ttl: '1h' } },
            { type: 'tool_use', id: 'c1', name: 'w', input: { c: 'Paris' } },
          ],
        },
      ],
    });
    const protocol = 'anthropic-messages';
    expect(messages[0]?.content).toMatchObject([
      { type: 'reasoning', text: 'hm', vendor: { protocol, data: { signature: 's' } } },
      { type: 'reasoning', text: '', vendor: { protocol, data: { redacted: 'x' } } },
      { type: 'vendor', vendor: { protocol, data: search } },
      { type: 'text', text: 'One moment.', cache: { ttl: '1h' } },
      { type: 'tool-call', id: 'c1', name: 'w', input: '{"c":"Paris"}' },
    ]);
  });

  it('encodes unknown blocks of a result as JSON', () => {
    const reference = { type: 'tool_reference', tool_name: 'w' };
    const { messages } = decoded({
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [reference] }] }],
    });
    expect(messages[0]?.content).toMatchObject([{ content: [{ type: 'text', text: JSON.stringify(reference) }] }]);
  });

  it('shows title and context of a document to the model', () => {
    const document = (source: object, more: object) => ({ type: 'document', source, ...more });
    const about = { title: 'Report', context: 'Of 2025' };
    const text = document({ type: 'text', data: 'Up.' }, about);
    const pdf = document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' }, about);
    const content = [text, pdf, document({ type: 'text', data: 'x' }, {})];
    const [message] = decoded({ messages: [{ role: 'user', content }] }).messages;
    expect(message?.content).toMatchObject([
      { text: 'Report\nOf 2025\n' },
      { text: 'Up.' },
      { text: 'Of 2025\n' },
      { media: 'file', filename: 'Report' },
      { text: 'x' },
    ]);
  });

  it('shows title and source of a search result to the model, also in the result of a tool', () => {
    const content = [
      { type: 'text', text: 'Up.' },
      { type: 'text', text: 'Down.' },
    ];
    const found = { type: 'search_result', source: 'https://a.example', title: 'Report', content };
    const result = { type: 'tool_result', tool_use_id: 'c1', content: [found] };
    const messages = decoded({ messages: [{ role: 'user', content: [result, found] }] }).messages;
    const texts = [{ text: 'Report\nhttps://a.example\n' }, { text: 'Up.\nDown.' }];
    expect(messages).toMatchObject([{ content: [{ content: texts }] }, { role: 'user', content: texts }]);
  });

  it('sends the address of a PDF', () => {
    const source = { type: 'url', url: 'https://a.example/r' };
    const content = [{ type: 'document', source, title: 'Report', context: 'Of 2025' }];
    expect(decoded({ messages: [{ role: 'user', content }] }).messages[0]?.content).toMatchObject([
      { text: 'Of 2025\n' },
      { media: 'file', mediaType: 'application/pdf', filename: 'Report', source: { kind: 'url', url: source.url } },
    ]);
  });

  it('reads the older name of the format of an answer', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const { settings } = decoded({ output_format: format });
    expect(settings.format).toMatchObject({ schema: format.schema });
    expect(settings).toEqual(decoded({ output_config: { format } }).settings);
  });

  it('refuses a document that is neither PDF nor text', () => {
    const source = { type: 'base64', media_type: 'application/zip', data: 'UEs=' };
    const messages = [{ role: 'user', content: [{ type: 'document', source }] }];
    expect(() => decoded({ messages })).toThrow(
      expect.objectContaining({ code: 'unsupported_value', details: { param: 'messages[0].content[0]' } }),
    );
  });

  it('hashes the user id', () => {
    expect(decoded({ metadata: { user_id: 'ada@example.com' } }).settings.user).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('encodeAnswer of messages', () => {
  const counts = { promptTokens: 6, cachedTokens: 2, cacheWriteTokens: 1, completionTokens: 4, reasoningTokens: 0 };
  const answerWith = (more: Partial<NeutralAnswer>): NeutralAnswer => ({
    id: 'chatcmpl-1',
    content: [],
    finish: 'stop',
    counts,
    ...more,
  });
  const encoded = (more: Partial<NeutralAnswer>, thinking: 'shown' | 'hidden' | 'off' = 'shown') =>
    JSON.parse(
      Buffer.from(
        anthropicMessages.encodeAnswer(answerWith(more), {
          publicModel: 'm',
          requestId: 'req_1',
          createdSeconds: 1,
          nowSeconds: () => 2,
          view: { thinking },
        }),
      ).toString(),
    );
  const call = { type: 'tool-call', name: 'w', kind: 'function', path: '' } as const;
  const content = [
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'One moment.' },
    { ...call, id: 'c1', input: '{"c":1}' },
    { ...call, id: 'c2', input: '{"c":' },
  ] as const;

  it('keeps the order of the parts, and splits the counts', () => {
    expect(encoded({ content, finish: 'tool-calls' })).toEqual({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'hm', signature: expect.stringMatching(/^[\w-]{8,}$/) },
        { type: 'text', text: 'One moment.' },
        { type: 'tool_use', id: 'c1', name: 'w', input: { c: 1 } },
        { type: 'tool_use', id: 'c2', name: 'w', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      usage: { input_tokens: 3, cache_creation_input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 4 },
    });
    expect(encoded({ content }, 'off').content).toHaveLength(3);
    expect(encoded({ content }, 'hidden').content).toHaveLength(3);
  });

  it('signs thoughts that no vendor signed, and forgets that when they come back', () => {
    const [thinking] = encoded({ content: [{ type: 'reasoning', text: 'hm' }] }).content;
    const { messages } = decoded({ messages: [{ role: 'assistant', content: [thinking] }] });
    expect(messages[0]?.content).toEqual([{ type: 'reasoning', text: 'hm', vendor: undefined }]);
    expect(mayHavePacked(Buffer.from(JSON.stringify(thinking)))).toBe(true);
    expect(unpacked(thinking.signature)).toBeDefined();
  });

  it.each([
    [{ finish: 'stop' }, { stop_reason: 'end_turn', stop_sequence: null }],
    [
      { finish: 'stop', stopSequence: 'END' },
      { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    ],
    [{ finish: 'length' }, { stop_reason: 'max_tokens' }],
    [{ finish: 'filtered' }, { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: null } }],
    [
      { content: [{ type: 'refusal', text: 'No.' }] },
      { content: [], stop_reason: 'refusal', stop_details: { explanation: 'No.' } },
    ],
  ] as const)('says how the answer ended: %j', (more, expected) => {
    expect(encoded(more)).toMatchObject(expected);
  });
});
