import { z } from 'zod';
import { isJsonObject } from '../json/json-object.js';

/*
 * POST /v1beta/interactions of Google's native API, by chat models: ai.google.dev/api/interactions-api. Objects are open:
 * the table of fields decides what passes. Image models have the stricter body of `images-interaction.ts`.
 */

/** Null counts as absent. */
const open = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (value) =>
      isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field != null)) : value,
    z.looseObject(shape),
  );

const struct = z.record(z.string(), z.unknown());
const text = z.looseObject({ type: z.literal('text'), text: z.string() });

const media = <Type extends string>(type: Type) =>
  z.looseObject({
    type: z.literal(type),
    data: z.string().nullish(),
    uri: z.string().nullish(),
    mime_type: z.string().nullish(),
  });

const CONTENT = [text, media('image'), media('audio'), media('video'), media('document')] as const;
const block = z.discriminatedUnion('type', CONTENT);

const functionResult = z.looseObject({
  type: z.literal('function_result'),
  call_id: z.string().min(1),
  name: z.string().nullish(),
  result: z.union([z.string(), z.array(block), struct]),
  is_error: z.boolean().nullish(),
});

const userInput = z.looseObject({
  type: z.literal('user_input'),
  content: z.array(z.discriminatedUnion('type', [...CONTENT, functionResult])).nullish(),
});

const callOf = <Type extends string>(type: Type) =>
  z.looseObject({ type: z.literal(type), id: z.string().nullish(), arguments: struct.nullish() });

const resultOf = <Type extends string>(type: Type) =>
  z.looseObject({
    type: z.literal(type),
    call_id: z.string().nullish(),
    result: z.unknown().optional(),
    is_error: z.boolean().nullish(),
  });

const STEPS = [
  userInput,
  z.looseObject({ type: z.literal('model_output'), content: z.array(block).nullish() }),
  z.looseObject({
    type: z.literal('thought'),
    signature: z.string().nullish(),
    summary: z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })).nullish(),
  }),
  z.looseObject({
    type: z.literal('function_call'),
    id: z.string().min(1),
    name: z.string().min(1),
    arguments: struct.nullish(),
    signature: z.string().nullish(),
  }),
  functionResult,
  callOf('code_execution_call'),
  resultOf('code_execution_result'),
  callOf('url_context_call'),
  resultOf('url_context_result'),
] as const;

const element = z.discriminatedUnion('type', [...CONTENT, ...STEPS], {
  error: "expected a content such as 'text', or a step such as 'user_input'",
});

const tool = z.looseObject({
  type: z.string(),
  name: z.string().min(1).nullish(),
  description: z.string().nullish(),
  parameters: z.unknown().optional(),
});

const TOOL_MODES = ['auto', 'any', 'none', 'validated'] as const;
const toolMode = z.enum(TOOL_MODES, { error: `expected one of ${TOOL_MODES.join(', ')}` });

const generationConfig = open({
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  top_k: z.number().optional(),
  seed: z.int().optional(),
  stop_sequences: z.array(z.string()).optional(),
  max_output_tokens: z.int().min(1).optional(),
  thinking_level: z
    .enum(['minimal', 'low', 'medium', 'high'], { error: 'expected one of minimal, low, medium, high' })
    .optional(),
  thinking_summaries: z.enum(['auto', 'none'], { error: "expected 'auto' or 'none'" }).optional(),
  tool_choice: z
    .union([
      toolMode,
      z.looseObject({
        allowed_tools: z.looseObject({ mode: toolMode.nullish(), tools: z.array(z.string()).nullish() }),
      }),
    ])
    .optional(),
});

/** `{type: 'text'}` with a schema, or the schema itself, which older clients send. */
const responseFormat = z.looseObject({
  type: z.unknown().optional(),
  mime_type: z.string().nullish(),
  schema: struct.nullish(),
});

export const interactionCreation = open({
  model: z.string().min(1),
  input: z.union([z.string().min(1), block, z.array(element).min(1)]),
  system_instruction: z.string().optional(),
  tools: z.array(tool).optional(),
  generation_config: generationConfig.optional(),
  response_format: z.union([responseFormat, z.array(responseFormat).max(1)]).optional(),
  response_mime_type: z.string().optional(),
  previous_interaction_id: z.string().optional(),
  stream: z.boolean().optional(),
  store: z.boolean().optional(),
  background: z.boolean().optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

export type InteractionCreation = z.infer<typeof interactionCreation>;
export type InteractionContent = z.infer<typeof block>;
export type InteractionFunctionResult = z.infer<typeof functionResult>;
export type InteractionStep = z.infer<(typeof STEPS)[number]>;
export type InteractionElement = z.infer<typeof element>;

const CONTENT_TYPES: ReadonlySet<unknown> = new Set(['text', 'image', 'audio', 'video', 'document']);

/** True for a content, which stands for a part of one user's turn. A step has a turn of its own. */
export const isInteractionContent = (value: { readonly type: unknown }): value is InteractionContent =>
  CONTENT_TYPES.has(value.type);
