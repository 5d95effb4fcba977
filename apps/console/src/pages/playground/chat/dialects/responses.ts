import { given, jsonRequest } from '../../bench/api-request.js';
import { errorIn } from '../../bench/failures.js';
import { fieldsOf, listOf, numberOf, textOf } from '../../bench/json.js';
import {
  type Attachment,
  audioFormat,
  type ChatAnswer,
  type ChatDialect,
  type ChatInput,
  type ChatPrompt,
  dataUri,
  isAudio,
  isImage,
  type ToolCall,
  type Turn,
  withCall,
} from '../conversation.js';

const PATH = '/v1/responses';

function partOf(attachment: Attachment): object {
  const { mediaType, base64, name } = attachment;
  if (isImage(mediaType)) return { type: 'input_image', image_url: dataUri(attachment) };
  if (isAudio(mediaType)) {
    return { type: 'input_audio', input_audio: { data: base64, format: audioFormat(mediaType) } };
  }
  return { type: 'input_file', filename: name, file_data: dataUri(attachment) };
}

function itemsOf({ text, attachments, results }: ChatInput): readonly object[] {
  if (results.length > 0) {
    return results.map(({ callId, content }) => ({ type: 'function_call_output', call_id: callId, output: content }));
  }
  const texts = text === '' ? [] : [{ type: 'input_text', text }];
  return [{ role: 'user', content: attachments.length === 0 ? text : [...texts, ...attachments.map(partOf)] }];
}

const rebuilt = ({ text, calls }: ChatAnswer): readonly object[] => [
  ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
  ...calls.map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: args,
  })),
];

const turnOf = ({ input, answer, dialect }: Turn): readonly unknown[] => [
  ...itemsOf(input),
  ...(dialect === 'responses' && answer.native.length > 0 ? answer.native : rebuilt(answer)),
];

/** Nothing is stored: the page holds the conversation, and reasoning comes back encrypted. */
function build({ model, system, tools, settings, turns, input }: ChatPrompt) {
  const { effort } = settings;
  const body = given({
    model: model.id,
    instructions: system,
    input: [...turns.flatMap(turnOf), ...itemsOf(input)],
    max_output_tokens: settings.maxTokens ?? undefined,
    temperature: settings.temperature ?? undefined,
    reasoning: effort === null ? undefined : { effort, ...(effort !== 'none' && { summary: 'auto' }) },
    tools: tools.length === 0 ? undefined : tools.map((tool) => ({ type: 'function', ...tool, strict: false })),
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: true,
  });
  return jsonRequest(PATH, 'responses', body, 'events');
}

const isItem = (id: unknown) => (call: ToolCall) => call.vendor === id;

/** An item that begins or is whole. Some servers send the arguments of a call only with the whole item. */
function withItem(answer: ChatAnswer, value: unknown): ChatAnswer {
  const { type, id, call_id: callId, name, arguments: args } = fieldsOf(value);
  if (type !== 'function_call') return answer;
  const change = (call: ToolCall): ToolCall => ({
    id: textOf(callId),
    name: textOf(name),
    arguments: textOf(args) || call.arguments,
    vendor: id,
  });
  return { ...answer, calls: withCall(answer.calls, isItem(id), change) };
}

function usageOf(value: unknown): ChatAnswer['usage'] {
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = fieldsOf(value);
  if (numberOf(input) === undefined) return null;
  const cached = numberOf(fieldsOf(details).cached_tokens) ?? 0;
  return { input: numberOf(input) ?? 0, cached, output: numberOf(output) ?? 0 };
}

function atEnd(answer: ChatAnswer, value: unknown): ChatAnswer {
  const { status, output, usage, incomplete_details: details } = fieldsOf(value);
  return {
    ...answer,
    native: listOf(output),
    usage: usageOf(usage) ?? answer.usage,
    finish: textOf(fieldsOf(details).reason) || textOf(status),
  };
}

function read(answer: ChatAnswer, event: unknown): ChatAnswer {
  const { type, delta, item, item_id: itemId, response } = fieldsOf(event);
  const more = textOf(delta);
  switch (type) {
    case 'error':
      throw errorIn(event, 502, null);
    case 'response.failed':
      throw errorIn(response, 502, null);
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { ...answer, text: answer.text + more };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return { ...answer, thinking: answer.thinking + more };
    case 'response.output_item.added':
    case 'response.output_item.done':
      return withItem(answer, item);
    case 'response.function_call_arguments.delta': {
      const change = (call: ToolCall) => ({ ...call, arguments: call.arguments + more });
      return { ...answer, calls: withCall(answer.calls, isItem(itemId), change) };
    }
    case 'response.completed':
    case 'response.incomplete':
      return atEnd(answer, response);
    default:
      return answer;
  }
}

/** developers.openai.com/api/reference/responses */
export const RESPONSES: ChatDialect = { label: 'Responses', path: PATH, takes: () => true, build, read };
