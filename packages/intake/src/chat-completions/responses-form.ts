import {
  GatewayError,
  type ResponsesItem,
  type ResponsesPart,
  type ResponsesRequest,
  type ResponsesTool,
  responsesRequest,
} from '@gateway/contracts';
import { checked } from '../checked.js';
import type { Rewritten } from '../rewritten.js';

type Body = Record<string, unknown>;

/** Fields that continue or keep a conversation, which chat completions cannot. To leave them out would lose the history. */
const STATEFUL = ['previous_response_id', 'conversation', 'background', 'prompt'] as const;

/**
 * Returns the chat request that a body in the form of the Responses protocol means. Cursor sends such a body to
 * `/v1/chat/completions`, and reads the answer as a chat completion. Undefined for every other body. Throws a 400 that names
 * the field.
 */
export function chatOfResponsesForm(body: Body): Rewritten | undefined {
  if (body.messages !== undefined || body.input === undefined) return undefined;
  checked(responsesRequest, body);
  const kept = STATEFUL.find((field) => body[field] != null && body[field] !== false);
  if (kept !== undefined) throw refused(kept, STATEFUL_ADVICE);
  const { input, instructions, tools, tool_choice, text, max_output_tokens, ...others } = body as Body &
    ResponsesRequest;
  const { include, store, truncation, max_tool_calls, top_logprobs, parallel_tool_calls, ...rest } = others;
  const turns = turnsOf(input, instructions);
  const lost = {
    ...{ include: include?.length, store, max_tool_calls, top_logprobs, 'text.verbosity': text?.verbosity },
    truncation: truncation !== 'disabled' && truncation,
  };
  return {
    body: {
      ...rest,
      messages: turns.messages,
      ...toolsOf(tools ?? [], { tool_choice, parallel_tool_calls }),
      ...formatOf(text?.format),
      ...(max_output_tokens != null && { max_completion_tokens: max_output_tokens }),
    },
    changes: {
      filled: { messages: 'input' },
      dropped: [...named(lost), ...turns.dropped, ...leftOut(tools ?? [])],
    },
  };
}

function turnsOf(input: ResponsesRequest['input'], instructions: string | null | undefined): Turns {
  const turns = new Turns();
  if (instructions) turns.add({ role: 'system', content: instructions });
  if (typeof input === 'string') turns.add({ role: 'user', content: input });
  else for (const [index, item] of input.entries()) turns.read(item, `input[${index}]`);
  return turns;
}

type ToolRules = Pick<ResponsesRequest, 'tool_choice' | 'parallel_tool_calls'>;

/** Vendors refuse rules for tools without a tool. */
function toolsOf(tools: readonly ResponsesTool[], { tool_choice: choice, parallel_tool_calls }: ToolRules): Body {
  const sent = tools.flatMap(chatTool);
  if (sent.length === 0) return {};
  return {
    tools: sent,
    ...(choice != null && { tool_choice: chatChoice(choice) }),
    ...(parallel_tool_calls != null && { parallel_tool_calls }),
  };
}

const leftOut = (tools: readonly ResponsesTool[]): readonly string[] =>
  tools.flatMap((tool, index) => (chatTool(tool).length === 0 ? [`tools[${index}]`] : []));

const STATEFUL_ADVICE = 'chat completions keep no conversation. Send the whole input, or call /v1/responses.';

const refused = (param: string, advice: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${advice}`, { param });

const named = (fields: Body): readonly string[] => Object.keys(fields).filter((name) => Boolean(fields[name]));

/** The messages of a chat. Neighbouring items of the model become one message: vendors refuse calls that are split. */
class Turns {
  readonly messages: Body[] = [];
  readonly #dropped = new Set<string>();

  /** Items that a chat has no place for, by type. */
  get dropped(): readonly string[] {
    return [...this.#dropped];
  }

  add(message: Body): void {
    this.messages.push(message);
  }

  read(item: ResponsesItem, path: string): void {
    const type = item.type ?? 'message';
    if (type === 'message') this.#message(item, path);
    else if (type === 'function_call' || type === 'custom_tool_call') this.#call(item);
    else if (type === 'function_call_output' || type === 'custom_tool_call_output') this.#result(item, path);
    else if (type === 'compaction' || type.startsWith('local_shell')) {
      throw refused(path, `an item of the type '${type}' has no place in a chat. Call /v1/responses.`);
    } else this.#dropped.add(`input.${type}`);
  }

  #message({ role, content }: ResponsesItem, path: string): void {
    const parts =
      typeof content === 'string' ? content : content?.map((part, at) => chatPart(part, `${path}.content[${at}]`));
    const last = this.messages.at(-1);
    if (role !== 'assistant' || last?.role !== 'assistant')
      this.add({ role, content: parts?.length === 0 ? '' : parts });
    else last.content = appended(last.content, listOf(parts));
  }

  #call(item: ResponsesItem): void {
    const { call_id: id, name } = item;
    const call =
      item.type === 'custom_tool_call'
        ? { id, type: 'custom', custom: { name, input: item.input } }
        : { id, type: 'function', function: { name, arguments: item.arguments } };
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant') this.add({ role: 'assistant', content: null, tool_calls: [call] });
    else last.tool_calls = appended(last.tool_calls, [call]);
  }

  #result({ call_id: id, output }: ResponsesItem, path: string): void {
    const content =
      typeof output === 'string' ? output : output?.map((part, at) => chatPart(part, `${path}.output[${at}]`));
    this.add({ role: 'tool', tool_call_id: id, content: content?.length === 0 ? '' : content });
  }
}

const listOf = (content: unknown): unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : ((content as unknown[] | null | undefined) ?? []);

/** The list that a message has already, which grows in place: to copy it for each item would be quadratic work. */
function appended(content: unknown, more: readonly unknown[]): unknown[] {
  const list = listOf(content);
  for (const part of more) list.push(part);
  return list;
}

function chatPart(part: ResponsesPart, path: string): Body {
  const { type, detail } = part;
  if (type === 'input_image')
    return { type: 'image_url', image_url: { url: part.image_url, ...(detail != null && { detail }) } };
  if (type === 'input_audio') return { type, input_audio: part.input_audio };
  if (type === 'refusal') return { type, refusal: part.refusal };
  if (type !== 'input_file') return { type: 'text', text: part.text };
  if (part.file_data == null) throw refused(`${path}.file_url`, 'expected the content of the file, in file_data.');
  return {
    type: 'file',
    file: { file_data: part.file_data, ...(part.filename != null && { filename: part.filename }) },
  };
}

/** Empty for a tool that the client does not run itself. */
function chatTool({ type, name, description, parameters, strict, format }: ResponsesTool): readonly Body[] {
  const common = { name, ...(description != null && { description }) };
  if (type === 'custom') {
    const grammar = format?.type === 'grammar' ? { type: 'grammar', grammar: grammarOf(format) } : format;
    return [{ type, custom: { ...common, ...(grammar != null && { format: grammar }) } }];
  }
  if (type !== 'function') return [];
  return [
    { type, function: { ...common, ...(parameters != null && { parameters }), ...(strict != null && { strict }) } },
  ];
}

const grammarOf = ({ type: _, ...grammar }: Body): Body => grammar;

type Choice = NonNullable<ResponsesRequest['tool_choice']>;

function chatChoice(choice: Choice): unknown {
  if (typeof choice === 'string') return choice;
  if (choice.type !== 'allowed_tools') return namedTool(choice);
  return { type: choice.type, allowed_tools: { mode: choice.mode, tools: choice.tools.map(namedTool) } };
}

const namedTool = ({ type, name }: { readonly type: string; readonly name?: string | undefined }): Body => ({
  type,
  [type]: { name },
});

function formatOf(format: NonNullable<ResponsesRequest['text']>['format']): Body {
  if (format == null) return {};
  const { type, ...schema } = format;
  return { response_format: type === 'json_schema' ? { type, json_schema: schema } : { type } };
}
