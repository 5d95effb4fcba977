import { weatherTool } from '../support/samples.js';

/** One field of the chat request: values at its bounds and values just beyond. */
export interface ChatField {
  readonly field: string;
  /** Other fields that this one needs. */
  readonly companions?: object;
  readonly appliesTo: (model: string) => boolean;
  readonly valid: readonly unknown[];
  /** A value, and the `param` of its error where that is not the field itself. */
  readonly invalid: readonly (readonly [value: unknown, param?: string])[];
}

export const REASONING_MODELS: readonly string[] = ['gp-5.4-pro', 'gp-5-pro'];
export const DEFAULT_MODEL = 'gp-5.4-mini';

const all = (): boolean => true;
const reasoning = (model: string): boolean => REASONING_MODELS.includes(model);
const standard = (model: string): boolean => !reasoning(model);
/** The vendor of the `gp` family rejects stop sequences itself. */
const supportsStop = (model: string): boolean => !model.startsWith('gp-');
const only = (id: string) => (model: string) => model === id;

const values = (...list: readonly unknown[]): readonly (readonly [unknown])[] => list.map((value) => [value] as const);
const tool = (definition: unknown) => [{ type: 'function', function: definition }];
const user = (content: unknown) => [{ role: 'user', content }];
/** All but the one model whose output ends below the interface's bound. */
const hasLongOutput = (model: string): boolean => standard(model) && model !== 'cl-haiku-4-5';
const text = (words: string) => ({ type: 'text', text: words });

/** The published table of `POST /v1/chat/completions`, both variants. */
export const CHAT_FIELDS: readonly ChatField[] = [
  {
    field: 'messages',
    appliesTo: all,
    valid: [
      user('json'),
      user([text('json')]),
      [{ role: 'system', content: 'json' }, ...user('x')],
      [{ role: 'user', content: 'json', name: 'ada' }],
    ],
    invalid: [
      [undefined],
      [[]],
      ['Hello'],
      [[{}], 'messages[0].role'],
      [[{ role: 'robot', content: 'x' }], 'messages[0].role'],
      [[{ role: 'user' }], 'messages[0].content'],
      [user(5), 'messages[0].content'],
      [user([]), 'messages[0].content'],
      [user([{ type: 'text' }]), 'messages[0].content[0].text'],
      [user([{ type: 'hologram' }]), 'messages[0].content[0].type'],
      [user([text('a'), { type: 'image_url' }]), 'messages[0].content[1].image_url'],
      [user([{ type: 'image_url', image_url: {} }]), 'messages[0].content[0].image_url.url'],
      [[...user('x'), { role: 'tool', content: 'y' }], 'messages[1].tool_call_id'],
      [[{ role: 'user', content: 'x', name: 5 }], 'messages[0].name'],
    ],
  },
  { field: 'temperature', appliesTo: standard, valid: [0, 1, 2, null], invalid: values(-0.01, 2.01, '1', [1]) },
  { field: 'temperature', appliesTo: reasoning, valid: [0, 2, 9, null], invalid: [] },
  { field: 'top_p', appliesTo: standard, valid: [0, 0.5, 1, null], invalid: values(-0.01, 1.01, '1') },
  { field: 'max_tokens', appliesTo: only('qn3.8-omni-flash'), valid: [131_072], invalid: values(131_073) },
  { field: 'max_tokens', appliesTo: only('cl-haiku-4-5'), valid: [64_000], invalid: values(64_001) },
  { field: 'max_tokens', appliesTo: hasLongOutput, valid: [65_536], invalid: [] },
  { field: 'max_tokens', appliesTo: standard, valid: [1, 64_000, null], invalid: values(0, -1, 1.5, '10', 1_000_000) },
  { field: 'max_tokens', appliesTo: reasoning, valid: [null], invalid: values(1, 100) },
  {
    field: 'max_completion_tokens',
    appliesTo: all,
    valid: [16, 64_000, null],
    invalid: values(0, -1, 1.5, '10', 1_000_000),
  },
  { field: 'max_completion_tokens', appliesTo: only('gp-5.4-pro'), valid: [128_000], invalid: values(128_001) },
  { field: 'max_completion_tokens', appliesTo: only('gp-5-pro'), valid: [100_000], invalid: values(100_001) },
  { field: 'stream', appliesTo: standard, valid: [true, false, null], invalid: values('true', 1) },
  { field: 'stream', appliesTo: reasoning, valid: [true, false, null], invalid: values('false') },
  {
    field: 'stop',
    appliesTo: standard,
    valid: [[], null],
    invalid: [],
  },
  {
    field: 'stop',
    appliesTo: supportsStop,
    valid: [['q'], ['q', 'qq', 'qqq', 'qqqq'], 'q', null],
    invalid: [[['a', 'b', 'c', 'd', 'e']], [5], [[1], 'stop[0]']],
  },
  { field: 'presence_penalty', appliesTo: standard, valid: [-2, 0, 2, null], invalid: values(-2.01, 2.01, '0') },
  { field: 'frequency_penalty', appliesTo: standard, valid: [-2, 0, 2, null], invalid: values(-2.01, 2.01, '0') },
  {
    field: 'tools',
    appliesTo: all,
    valid: [[weatherTool], tool({ name: 'f'.repeat(64), parameters: { type: 'object', properties: {} } })],
    invalid: [
      ['get_weather'],
      [[{}], 'tools[0].type'],
      [[{ type: 'function' }], 'tools[0].function'],
      [tool({ description: 'nameless' }), 'tools[0].function.name'],
      [tool({ name: '' }), 'tools[0].function.name'],
      [tool({ name: 'f'.repeat(65) }), 'tools[0].function.name'],
      [tool({ name: 'two words' }), 'tools[0].function.name'],
      [tool({ name: 'f', parameters: 'none' }), 'tools[0].function.parameters'],
    ],
  },
  {
    field: 'tool_choice',
    companions: { tools: [weatherTool] },
    appliesTo: all,
    valid: ['auto', 'none', 'required', { type: 'function', function: { name: 'get_weather' } }],
    invalid: [['sometimes'], [5], [{ type: 'function' }, 'tool_choice.function']],
  },
  {
    field: 'response_format',
    appliesTo: standard,
    valid: [{ type: 'text' }, { type: 'json_object' }],
    invalid: [
      ['json'],
      [{ type: 'xml' }, 'response_format.type'],
      [{ type: 'json_schema' }, 'response_format.json_schema'],
    ],
  },
  {
    field: 'reasoning_effort',
    appliesTo: reasoning,
    valid: ['low', 'medium', 'high', null],
    invalid: values('minimal', 'xhigh', 'ultra', 3),
  },
  { field: 'reasoning_effort', appliesTo: standard, valid: ['low', 'high', null], invalid: values('ultra', 3) },
  { field: 'user', appliesTo: all, valid: ['ada', '', null], invalid: values(5, ['ada']) },
];
