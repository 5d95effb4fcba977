import { z } from 'zod';
import { EFFORTS } from '../neutral/request.js';
import { unpackCompaction } from '../response-state/compaction.js';
import { CONFIGURATION_UPDATE } from './configuration-updates.js';

/*
 * POST /v1/responses to a model whose upstream speaks another protocol: the request is translated, so all of it is checked.
 * Objects are open: newer clients send fields that change nothing here.
 */

const text = z.string();
const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('input_text'), text }),
  z.looseObject({ type: z.literal('output_text'), text }),
  z.looseObject({ type: z.literal('text'), text }),
  z.looseObject({ type: z.literal('refusal'), refusal: text }),
  z.looseObject({ type: z.literal('input_image'), image_url: z.string().min(1), detail: z.string().nullish() }),
  z
    .looseObject({
      type: z.literal('input_file'),
      file_data: z.string().nullish(),
      file_url: z.string().nullish(),
      filename: z.string().nullish(),
    })
    .refine(({ file_data: data, file_url: url }) => (data ?? url) != null, {
      error: 'expected the content of the file, or its address in file_url',
      path: ['file_data'],
    }),
  z.looseObject({
    type: z.literal('input_audio'),
    input_audio: z.looseObject({ data: z.string().min(1), format: z.string().optional() }),
  }),
]);
const content = z.union([text, z.array(part)]);

const name = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/, 'expected 1 to 128 characters of A-Z, a-z, 0-9, _ and -');
const namespace = z.string().nullish();
const callId = z.string().min(1);
const output = { call_id: callId, output: content };

const item = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content,
  }),
  z.looseObject({ type: z.literal('function_call'), call_id: callId, name, namespace, arguments: text }),
  z.looseObject({ type: z.literal('function_call_output'), ...output }),
  z.looseObject({ type: z.literal('custom_tool_call'), call_id: callId, name, namespace, input: text }),
  z.looseObject({ type: z.literal('custom_tool_call_output'), ...output }),
  z.looseObject({ type: z.literal('local_shell_call'), call_id: callId, action: z.looseObject({}) }),
  z.looseObject({
    type: z.literal('local_shell_call_output'),
    call_id: callId.nullish(),
    id: z.string().nullish(),
    output: content,
  }),
  z.looseObject({
    type: z.literal('reasoning'),
    summary: z.array(z.looseObject({ text })).nullish(),
    content: z.array(z.looseObject({ text })).nullish(),
    encrypted_content: z.string().nullish(),
  }),
  z.looseObject({
    type: z.literal('compaction'),
    encrypted_content: z.string().refine((content) => unpackCompaction(content) !== undefined, {
      error: "expected a compaction that can be read: a vendor's own is for its models only",
    }),
  }),
  z.looseObject({
    type: z.literal(CONFIGURATION_UPDATE),
    reasoning: z.looseObject({ effort: z.enum(EFFORTS).nullish() }).nullish(),
  }),
  ...(['web_search_call', 'tool_search_call', 'image_generation_call', 'compaction_trigger'] as const).map((type) =>
    z.looseObject({ type: z.literal(type) }),
  ),
  ...(['additional_tools', 'tool_search_output'] as const).map((type) =>
    z.looseObject({ type: z.literal(type), tools: z.array(z.looseObject({ type: z.string().min(1) })) }),
  ),
]);

/** An item without a type is a message. */
const typed = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('type' in value && value.type != null)
      ? { ...value, type: 'message' }
      : value,
  item,
);

const functionTool = z.looseObject({
  type: z.literal('function'),
  name,
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
const customTool = z.looseObject({
  type: z.literal('custom'),
  name,
  description: z.string().nullish(),
  format: z.looseObject({ type: z.string() }).nullish(),
});
const namespaceTool = z.looseObject({
  type: z.literal('namespace'),
  name,
  tools: z.array(z.discriminatedUnion('type', [functionTool, customTool])),
});
const KNOWN_TOOLS: readonly string[] = ['function', 'custom', 'namespace'];
/** A tool that another party runs has fields of its own. */
const otherTool = z.looseObject({
  type: z
    .string()
    .min(1)
    .refine((type) => !KNOWN_TOOLS.includes(type)),
});
const tool = z.union([z.discriminatedUnion('type', [functionTool, customTool, namespaceTool]), otherTool]);

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({ type: z.enum(['function', 'custom']), name, namespace }),
  z.looseObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['auto', 'required']),
    tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional(), namespace })),
  }),
]);

const format = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    name,
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
  }),
]);

const fields = {
  model: z.string().min(1),
  input: z.union([z.string(), z.array(typed).min(1)]),
  instructions: z.string().nullish(),
  include: z.array(z.string()).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  background: z.boolean().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_retention: z.string().nullish(),
  reasoning: z
    .looseObject({
      effort: z.enum(EFFORTS).nullish(),
      summary: z.string().nullish(),
    })
    .nullish(),
  safety_identifier: z.string().nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z.looseObject({ format: format.nullish(), verbosity: z.enum(['low', 'medium', 'high']).nullish() }).nullish(),
  tool_choice: toolChoice.nullish(),
  tools: z.array(tool).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  user: z.string().nullish(),
};

export const responsesRequest = z.looseObject(fields);

type Nullable<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | null };

/** A part of a message or of a tool's result, by the union of its types. */
export type ResponsesPart = { readonly type: string } & Nullable<{
  text: string;
  refusal: string;
  image_url: string;
  detail: string;
  file_data: string;
  file_url: string;
  filename: string;
  input_audio: { readonly data?: string; readonly format?: string };
}>;

/** An item of the input, by the union of its types. */
export type ResponsesItem = Nullable<{
  type: string;
  id: string;
  role: 'user' | 'assistant' | 'system' | 'developer';
  content: string | readonly ResponsesPart[];
  call_id: string;
  name: string;
  namespace: string;
  arguments: string;
  input: string;
  output: string | readonly ResponsesPart[];
  action: Readonly<Record<string, unknown>>;
  summary: readonly ResponsesPart[];
  encrypted_content: string;
  tools: readonly ResponsesTool[];
  reasoning: { readonly effort?: string | null };
}>;

/** A tool, by the union of its types. */
export type ResponsesTool = { readonly type: string } & Nullable<{
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
  strict: boolean;
  format: Readonly<Record<string, unknown>>;
  tools: readonly ResponsesTool[];
}>;

export type ResponsesToolChoice = z.infer<typeof toolChoice>;

/** The request as its client wrote it: an item may lack its type. */
export type ResponsesRequest = Omit<z.infer<z.ZodObject<typeof fields>>, 'input' | 'tools'> & {
  readonly input: string | readonly ResponsesItem[];
  readonly tools?: readonly ResponsesTool[] | null;
};
