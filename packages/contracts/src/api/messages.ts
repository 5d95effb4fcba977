import { z } from 'zod';

/*
 * POST /v1/messages: request and response of the native messages format.
 * The format's own vendor receives the client's bytes, so only the fields that the gateway reads are validated.
 * For any other model the request is translated, so all of it is validated.
 */

const model = z.string().min(1);
const stream = z.boolean().nullish();
const anything = z.looseObject({});

const nativeBase = { model, messages: z.array(anything).min(1) };

/** For a model of the format's own vendor. The table of its fields rejects what costs more than the model's price. */
export const nativeMessagesRequest = z.looseObject({
  ...nativeBase,
  max_tokens: z.int().min(0),
  stream,
});

/** POST /v1/messages/count_tokens for a model of the format's own vendor. */
export const nativeCountRequest = z.looseObject(nativeBase);

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const image = z.looseObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('base64'), media_type: z.string().min(1), data: z.string().min(1) }),
    z.looseObject({ type: z.literal('url'), url: z.string().min(1) }),
  ]),
});
const document = z.looseObject({
  type: z.literal('document'),
  title: z.string().nullish(),
  context: z.string().nullish(),
  source: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('base64'), media_type: z.string().min(1), data: z.string().min(1) }),
    z.looseObject({ type: z.literal('text'), data: z.string() }),
    z.looseObject({ type: z.literal('content'), content: z.union([z.string(), z.array(text)]) }),
    z.looseObject({ type: z.literal('url'), url: z.string().min(1) }),
  ]),
});
/** A passage that a search of the client has found, with its source. */
const searchResult = z.looseObject({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: z.array(text),
});
/** Accepts blocks of unknown kinds, untyped: the vendor adds kinds, and a history may contain them. */
const orOther = <Block extends z.ZodType>(block: Block, ...known: readonly string[]): Block =>
  z.union([block, z.looseObject({ type: z.string().refine((type) => !known.includes(type)) })]) as unknown as Block;

const resultBlock = z.discriminatedUnion('type', [text, image, document, searchResult]);
const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().min(1),
  content: z.union([z.string(), z.array(orOther(resultBlock, 'text', 'image', 'document', 'search_result'))]).nullish(),
  is_error: z.boolean().nullish(),
});
const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1),
  name: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
});
const thinking = z.looseObject({ type: z.literal('thinking') });
const redactedThinking = z.looseObject({ type: z.literal('redacted_thinking') });

const userBlock = z.discriminatedUnion('type', [text, image, document, searchResult, toolResult]);
const assistantBlock = z.discriminatedUnion('type', [text, toolUse, thinking, redactedThinking]);
const contentOf = <Block extends z.ZodType>(block: Block) => z.union([z.string(), z.array(block)]);

/** A client's tool has a schema; a tool without one is run by the format's vendor. */
const tool = z
  .looseObject({
    type: z.string().nullish(),
    name: z.string().min(1),
    description: z.string().nullish(),
    input_schema: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  })
  .refine(({ type, input_schema: schema }) => schema != null || (type != null && type !== 'custom'), {
    path: ['input_schema'],
    error: 'expected the JSON schema of the input',
  });

const effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish();
const toolReference = z.looseObject({ type: z.literal('tool_reference'), name: z.string() });
/** From its place on, an instruction may also change the tools and the effort of a conversation. */
const systemBlock = z.discriminatedUnion('type', [
  text,
  z.looseObject({
    type: z.literal('tool_addition'),
    tool: z.discriminatedUnion('type', [
      toolReference,
      z.looseObject({ type: z.literal('tool_definition'), definition: tool }),
    ]),
  }),
  z.looseObject({ type: z.literal('tool_removal'), tool: toolReference }),
]);

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('user'), content: contentOf(userBlock) }),
  z.looseObject({
    role: z.literal('assistant'),
    content: contentOf(orOther(assistantBlock, 'text', 'tool_use', 'thinking', 'redacted_thinking')),
  }),
  z.looseObject({
    role: z.literal('system'),
    content: contentOf(systemBlock),
    output_config: z.looseObject({ effort }).nullish(),
  }),
]);

const parallelism = { disable_parallel_tool_use: z.boolean().nullish() };
const toolChoice = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('auto'), ...parallelism }),
  z.looseObject({ type: z.literal('any'), ...parallelism }),
  z.looseObject({ type: z.literal('tool'), name: z.string().min(1), ...parallelism }),
  z.looseObject({ type: z.literal('none') }),
]);

const format = z.looseObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }).nullish();

const translated = {
  model,
  system: contentOf(text).nullish(),
  messages: z.array(message).min(1),
  tools: z.array(tool).nullish(),
  tool_choice: toolChoice.nullish(),
  thinking: z
    .discriminatedUnion('type', [
      z.looseObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1), display: z.string().nullish() }),
      z.looseObject({ type: z.literal('adaptive'), display: z.string().nullish() }),
      z.looseObject({ type: z.literal('disabled') }),
    ])
    .nullish(),
  output_config: z.looseObject({ effort, format }).nullish(),
  /** The older name of `output_config.format`, which the vendor still takes. */
  output_format: format,
};

/** For a model of another vendor. */
export const messagesRequest = z.looseObject({
  ...translated,
  max_tokens: z.int().min(1),
  stream,
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  stop_sequences: z.array(z.string()).max(4).nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
});

/** POST /v1/messages/count_tokens for a model of another vendor. */
export const countTokensRequest = z.looseObject(translated);

export type MessagesRequest = z.infer<typeof messagesRequest>;
export type CountTokensRequest = z.infer<typeof countTokensRequest>;
export type MessagesInputMessage = CountTokensRequest['messages'][number];
export type MessagesUserBlock = z.infer<typeof userBlock>;
export type MessagesAssistantBlock = z.infer<typeof assistantBlock>;
export type MessagesTool = z.infer<typeof tool>;

export type StopReason = 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal';

/** `input_tokens` excludes tokens read from or written to a cache. */
export interface MessagesUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

export interface StopDetails {
  readonly type: 'refusal';
  readonly category: null;
  readonly explanation: string | null;
}
