import { findModel, withCapability } from '@gateway/catalogue';
import { FIELD_TABLES, type FieldTableId } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS, type JsonEndpoint } from './json-endpoints.js';
import { validateVideoRequest } from './videos-generations/validate-video-request.js';

type Body = Record<string, unknown>;

const messages = [{ role: 'user', content: 'Hi' }];
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const pdf = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } };
const parted = [{ role: 'user', content: [pdf, image] }];
const tool = { type: 'function', function: { name: 'f' } };
const prompt = 'A paper boat';
const openFile = () => ({ fileUri: 'https://example.com/a.mp4' });

/** A valid body of each table, with an element of each list and object that has rows of its own. */
const BODIES: Readonly<Partial<Record<FieldTableId, readonly [JsonEndpoint, string, Body]>>> = {
  'openai-chat': [
    'chat.completions',
    'gp-5.4-mini',
    { messages: [{ role: 'user', content: [pdf] }], tools: [tool], stream: true, stream_options: {} },
  ],
  'openai-responses': ['chat.completions', 'gp-5-pro', { messages: parted, tools: [tool] }],
  'anthropic-messages': ['chat.completions', 'cl-sonnet-4-6', { messages: parted, tools: [tool] }],
  'gemini-generate': ['chat.completions', 'gm-2.5-flash', { messages: parted, tools: [tool] }],
  'dashscope-chat': ['chat.completions', 'qn3.8-omni-flash', { messages, tools: [tool], stream_options: {} }],
  'messages-pass-through': [
    'messages',
    'cl-sonnet-4-6',
    {
      max_tokens: 5,
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi', source: {}, content: [{ source: {} }], tool: { definition: {} } }],
        },
      ],
      tools: [{ name: 'f', input_schema: {} }],
      context_management: { edits: [{}] },
    },
  ],
  'generate-pass-through': [
    'models.generate_content',
    'gm-2.5-flash',
    { contents: [{ parts: [{ text: 'Hi', fileData: openFile() }] }], generationConfig: {}, tools: [{}] },
  ],
  'generate-images': [
    'models.generate_content',
    'gm-3-pro-image-preview',
    { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { imageConfig: {} } },
  ],
  'generate-to-neutral': [
    'models.generate_content',
    'qn3.8-omni-flash',
    { contents: [{ parts: [{ text: 'Hi', fileData: openFile() }] }], generationConfig: {}, tools: [{}] },
  ],
  interactions: [
    'interactions',
    'gm-2.5-flash',
    {
      input: [{ type: 'user_input', content: [{ type: 'text', text: 'Hi' }] }],
      generation_config: {},
      tools: [{ type: 'code_execution' }],
    },
  ],
  'generate-count-tokens': [
    'models.count_tokens',
    'gm-2.5-flash',
    {
      contents: [{ parts: [{ text: 'Hi', fileData: openFile() }] }],
      generateContentRequest: { contents: [{ parts: [{ text: 'Hi', fileData: openFile() }] }] },
    },
  ],
  'embed-content': ['models.embed_content', 'gm-embedding-001', { content: { parts: [{ text: 'x' }] } }],
  'responses-compact': [
    'responses.compact',
    'gp-5.4-mini',
    {
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }], output: [{}], tools: [{}] }],
      tools: [{ type: 'function', name: 'f', environment: { type: 'local' } }],
    },
  ],
  'responses-pass-through': [
    'responses',
    'gp-5.4-mini',
    {
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }], output: [{}], tools: [{}] }],
      tools: [{ type: 'function', name: 'f', environment: { type: 'local' } }],
      reasoning: {},
    },
  ],
  'responses-to-neutral': [
    'responses',
    'gm-2.5-flash',
    { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }], output: [{}] }] },
  ],
  'messages-to-neutral': ['messages', 'gm-2.5-flash', { max_tokens: 5, messages }],
  'dashscope-embeddings': ['embeddings', 'text-embedding-v4', { input: 'x' }],
  'gemini-embeddings': ['embeddings', 'gm-embedding-001', { input: 'x' }],
  'voyage-embeddings': ['embeddings', 'vg-4', { input: 'x' }],
  'voyage-rerank': ['rerank', 'vg-rerank-2.5', { query: 'x', documents: ['y'] }],
  'ark-images': ['images.generations', 'seedream-4.5', { prompt, sequential_image_generation_options: {} }],
  'dashscope-image': [
    'images.generations',
    'qn-image-2.0',
    { input: { messages: [{ role: 'user', content: [{ text: prompt }] }] }, parameters: {} },
  ],
  'gemini-interactions': [
    'images.generations',
    'gm-3-pro-image-preview',
    { input: [{ type: 'text', text: prompt }], response_format: { type: 'image' }, generation_config: {} },
  ],
  'openai-images': ['images.generations', 'gp-image-2', { prompt }],
  'xai-images': ['images.generations', 'grok-imagine-image', { prompt }],
  'dashscope-speech': ['audio.speech', 'qn3-tts-flash', { input: 'x' }],
};

const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const spellings = (name: string): readonly string[] => [
  ...new Set([name, name.toUpperCase(), camel(name), name.replaceAll('_', '-')]),
];

/** The body with another field at a path such as `tools[].type`. */
function withField(body: Body, path: string, name: string, value: unknown): Body {
  const copy = structuredClone(body);
  let holder = copy;
  for (const step of path.split('.').slice(0, -1)) {
    const field = step.replace('[]', '');
    // A dropped object is in no body above.
    holder[field] ??= {};
    const inside = holder[field] as Body | Body[];
    holder = (Array.isArray(inside) ? inside[0] : inside) as Body;
  }
  holder[name] = value;
  return copy;
}

const validate = (endpoint: JsonEndpoint, id: string, body: Body) => {
  const model = findModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return JSON_ENDPOINTS[endpoint].validate({ model: id, ...body }, model);
};

const VIDEOS = [
  ['dashscope-video', 'wn2.7-t2v', { duration: 5, input: { prompt }, parameters: {} }],
  ['ark-video', 'seedance-2.0', { duration: 5, input: { content: [{ type: 'text', text: prompt }] }, parameters: {} }],
  ['xai-video', 'grok-imagine-video', { duration: 5, input: { prompt }, parameters: {} }],
] as const;

/** Each priced field in the spellings of a lenient reader, and each refused one in its own too. */
const rejectedOf = (table: FieldTableId): readonly (readonly [path: string, spelling: string])[] =>
  Object.entries(FIELD_TABLES[table].fields).flatMap(([path, { kind }]) => {
    const name = (path.split('.').at(-1) ?? '').replace('[]', '');
    if (kind !== 'refused' && kind !== 'priced') return [];
    const rejected = spellings(name).filter((spelling) => kind === 'refused' || spelling !== name);
    return rejected.map((spelling) => [path, spelling] as const);
  });

const rejected = Object.entries(BODIES).flatMap(([table, [endpoint, id, body]]) =>
  rejectedOf(table as FieldTableId).map(([path, spelling]) => [table, path, spelling, endpoint, id, body] as const),
);

const rejectedVideos = VIDEOS.flatMap(([table, id, body]) =>
  rejectedOf(table).map(([path, spelling]) => [table, path, spelling, id, body] as const),
);

const pathOf = (path: string, spelling: string): string =>
  [...path.split('.').slice(0, -1), spelling].join('.').replaceAll('[]', '[0]');

describe('a known field', () => {
  it.each(Object.entries(BODIES))('leaves the body of %s valid', (_table, [endpoint, id, body]) => {
    expect(validate(endpoint, id, body).changes).toEqual({ filled: {}, dropped: [] });
  });

  it.each(rejected)('%s %s is rejected as %s, and named', (_table, path, spelling, endpoint, id, body) => {
    const odd: Readonly<Record<string, string>> = { 'input[].type': 'item_reference' };
    const given = odd[path] ?? (path.endsWith('.source.type') ? 'file' : 'container_upload');
    const param = pathOf(path, spelling);
    expect(() => validate(endpoint, id, withField(body, path, spelling, given))).toThrow(
      expect.objectContaining({ row: expect.objectContaining({ status: 400 }), details: { param } }),
    );
  });

  it.each(Object.entries(BODIES).filter(([table]) => FIELD_TABLES[table as FieldTableId].unknown[''] === 'refused'))(
    'is missing for an unknown name in %s, which is rejected',
    (_table, [endpoint, id, body]) => {
      expect(() => validate(endpoint, id, { ...body, plugins_of_tomorrow: [] })).toThrow(
        expect.objectContaining({ code: 'unknown_parameter', details: { param: 'plugins_of_tomorrow' } }),
      );
    },
  );

  it.each(rejectedVideos)('%s %s is rejected as %s, and named', (_table, path, spelling, id, body) => {
    const model = findModel(id);
    if (model === undefined) throw new Error(`no model ${id}`);
    const video = withField({ model: id, ...body }, path, spelling, 4);
    expect(() => validateVideoRequest(video, withCapability(model, 'video'))).toThrow(
      expect.objectContaining({
        row: expect.objectContaining({ status: 400 }),
        details: { param: pathOf(path, spelling) },
      }),
    );
  });

  it('is tested for every table but the form', () => {
    const tested = [...Object.keys(BODIES), ...VIDEOS.map(([table]) => table)];
    expect(Object.keys(FIELD_TABLES).filter((table) => !tested.includes(table))).toEqual(['openai-image-edits']);
  });
});

describe('dropped fields', () => {
  const inside = {
    messages: [
      {
        role: 'user',
        name: 'bob',
        content: [
          { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } },
          { ...image, image_url: { ...image.image_url, detail: 'high' } },
        ],
      },
    ],
    tools: [{ ...tool, function: { name: 'f', strict: true } }],
  };
  const name = 'messages[0].name';
  const mark = 'messages[0].content[0].cache_control';
  const detail = 'messages[0].content[1].image_url.detail';

  it.each([
    ['gm-2.5-flash', [name, mark, detail, 'tools[0].function.strict']],
    ['cl-sonnet-4-6', [name, detail]],
    ['gp-5.4-pro', [name, mark]],
  ])('inside of messages and tools are reported for %s', (id, expected) => {
    expect(validate('chat.completions', id, inside).changes?.dropped).toEqual(expected);
  });

  it.each(['models', 'provider', 'plugins', 'route'])('never include %s, which would choose another price', (field) => {
    for (const id of ['gp-5.4-mini', 'cl-sonnet-4-6', 'gm-2.5-flash', 'qn3.8-omni-flash']) {
      expect(() => validate('chat.completions', id, { messages, [field]: ['x'] })).toThrow(field);
    }
  });

  it('are named: those that the vendor lacks, and those that would store data with it', () => {
    const dropped = (id: string, extra: object) =>
      validate('chat.completions', id, { messages, ...extra }).changes?.dropped;
    expect(dropped('gp-5.4-mini', { store: true, metadata: { a: 'b' }, seed: 1 })).toEqual(['store', 'metadata']);
    expect(dropped('cl-sonnet-4-6', { seed: 1, presence_penalty: 0.5, frequency_penalty: 0, n: 1 })).toEqual([
      'seed',
      'presence_penalty',
    ]);
    expect(dropped('gm-2.5-flash', { logit_bias: { 5: 1 }, top_k: 3 })).toEqual(['logit_bias', 'top_k']);
    expect(dropped('qn3.8-omni-flash', { verbosity: 'low', store: false })).toEqual(['verbosity']);
  });

  it('of an interaction are its search tools; other tools of the vendor are rejected', () => {
    const interaction = (tools: readonly object[]) =>
      validate('images.generations', 'gm-3-pro-image-preview', { input: prompt, tools }).changes?.dropped;
    expect(interaction([{ type: 'google_search' }, { type: 'function', name: 'f' }, { type: 'url_context' }])).toEqual([
      'tools[0]',
    ]);
    for (const type of ['google_maps', 'retrieval', 'code_execution', 'mcp_server', 'Function']) {
      expect(() => interaction([{ type }])).toThrow(expect.objectContaining({ details: { param: 'tools[0].type' } }));
    }
    expect(() => interaction([{ google_maps: {} }])).toThrow(expect.objectContaining({ code: 'unsupported_value' }));
  });
});

describe('tools of the native messages format', () => {
  const tools = (...types: readonly string[]) =>
    validate('messages', 'cl-sonnet-4-6', {
      max_tokens: 5,
      messages,
      tools: types.map((type) => ({ type, name: 't' })),
    });

  it('pass if the client runs them, or the vendor for no more than tokens and priced searches', () => {
    const passing = ['custom', 'bash_20250124', 'text_editor_20250728', 'computer_20251124', 'memory_20250818'];
    const vendors = ['web_search_20260318', 'web_fetch_20260318', 'tool_search_tool_bm25_20251119'];
    expect(() => tools(...passing, ...vendors)).not.toThrow();
  });

  it.each([
    'advisor_20260301',
    'code_execution_20250825',
    'mcp_toolset',
    'image_maker_20270101',
    'Web_Search_20260318',
  ])('are rejected as %s', (type) => {
    expect(() => tools('custom', type)).toThrow(expect.objectContaining({ details: { param: 'tools[1].type' } }));
  });
});
