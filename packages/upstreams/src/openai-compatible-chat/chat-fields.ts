import {
  dropped,
  droppedExcept,
  type FieldRow,
  free,
  NO_FILE_IDS,
  refused,
  refusedExcept,
} from '../field-table/field-table.js';

/** The published request schema of chat completions: platform.openai.com/docs/api-reference/chat/create. */
const SCHEMA = [
  ...['messages', 'model', 'frequency_penalty', 'logit_bias', 'logprobs', 'max_completion_tokens', 'max_tokens'],
  ...['metadata', 'moderation', 'n', 'parallel_tool_calls', 'presence_penalty', 'prompt_cache_key'],
  ...['prompt_cache_options', 'prompt_cache_retention', 'reasoning_effort', 'response_format', 'safety_identifier'],
  ...['seed', 'service_tier', 'stop', 'store', 'stream', 'stream_options', 'temperature', 'tool_choice', 'tools'],
  ...['top_logprobs', 'top_p', 'user', 'verbosity'],
] as const;

const NO_FIELD = 'The vendor has no such field.';

export type ChatField = (typeof SCHEMA)[number];

/** Values that mean the same as no field. */
const NEUTRAL: Readonly<Partial<Record<ChatField, readonly unknown[]>>> = {
  frequency_penalty: [0],
  presence_penalty: [0],
  logprobs: [false],
  top_logprobs: [0],
  n: [1],
  parallel_tool_calls: [true],
  service_tier: ['auto', 'default'],
  store: [false],
  stream: [false],
  stop: [[]],
  tools: [[]],
  logit_bias: [{}],
  metadata: [{}],
};

/** Fields of the schema that cost extra, whatever the vendor. */
const REFUSED: Readonly<Record<string, FieldRow>> = {
  ...refused('audio output has no price here.', 'audio'),
  ...refused('searches have no price here.', 'web_search_options'),
  ...refused('tokens of a rejected prediction are billed beyond the output cap.', 'prediction'),
  modalities: refusedExcept("expected ['text']: other output has no price here.", { except: [['text']] }),
  service_tier: refusedExcept("expected 'auto' or 'default': other tiers have no price here.", {
    except: ['auto', 'default'],
  }),
};

/** The rows of the chat schema, for a vendor that takes the `carried` fields of it. */
export const chatFields = (...carried: readonly ChatField[]): Readonly<Record<string, FieldRow>> => ({
  ...Object.fromEntries(
    SCHEMA.filter((name) => !carried.includes(name)).map((name) => [
      name,
      droppedExcept(NO_FIELD, ...(NEUTRAL[name] ?? [])),
    ]),
  ),
  ...REFUSED,
  ...free('Its tokens are counted in the usage.', ...carried),
});

/** Other gateways take these fields: decision 0058. */
export const refusedRoutes = refused(
  'it would choose another model or vendor, and so another price.',
  ...['models', 'provider', 'plugins', 'route'],
);

/** Files that the vendor keeps. */
export const VENDORS_FILES = refused(NO_FILE_IDS, 'messages[].content[].file.file_id');

/** The marks that clients of other gateways send, of a request, a part, a whole message and a tool. */
export const CACHE_MARKS = [
  ...['cache_control', 'messages[].content[].cache_control', 'messages[].cache_control', 'tools[].cache_control'],
];

/** What a translation loses inside of messages and tools. Each is reported. */
const NESTED: Readonly<Record<string, FieldRow>> = {
  ...dropped(NO_FIELD, 'messages[].name'),
  ...dropped('The vendor caches prompts without marks.', ...CACHE_MARKS),
  'messages[].content[].image_url.detail': droppedExcept(NO_FIELD, 'auto'),
  'tools[].function.strict': droppedExcept(NO_FIELD, false),
};

/** Rows of what is lost by a translation that carries the `carried` fields. */
export const lostInside = (...carried: readonly string[]): Readonly<Record<string, FieldRow>> =>
  Object.fromEntries(Object.entries(NESTED).filter(([path]) => !carried.includes(path)));

export const CHAT_FIELDS: readonly ChatField[] = SCHEMA;
