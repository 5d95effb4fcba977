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

const PATH = '/v1/chat/completions';

function partOf(attachment: Attachment): object {
  const { mediaType, base64, name } = attachment;
  if (isImage(mediaType)) return { type: 'image_url', image_url: { url: dataUri(attachment) } };
  if (isAudio(mediaType)) {
    return { type: 'input_audio', input_audio: { data: base64, format: audioFormat(mediaType) } };
  }
  return { type: 'file', file: { filename: name, file_data: dataUri(attachment) } };
}

function messagesOf({ text, attachments, results }: ChatInput): readonly object[] {
  if (results.length > 0) {
    return results.map(({ callId, content }) => ({ role: 'tool', tool_call_id: callId, content }));
  }
  const texts = text === '' ? [] : [{ type: 'text', text }];
  return [{ role: 'user', content: attachments.length === 0 ? text : [...texts, ...attachments.map(partOf)] }];
}

const callOf = ({ id, name, arguments: args, vendor }: ToolCall): object => ({
  id,
  type: 'function',
  function: { name, arguments: args },
  ...(vendor !== undefined && { extra_content: vendor }),
});

const turnOf = ({ input, answer }: Turn): readonly object[] => [
  ...messagesOf(input),
  {
    role: 'assistant',
    content: answer.text === '' ? null : answer.text,
    ...(answer.calls.length > 0 && { tool_calls: answer.calls.map(callOf) }),
  },
];

function build({ model, system, tools, settings, turns, input }: ChatPrompt) {
  const systemMessages = system === '' ? [] : [{ role: 'system', content: system }];
  const body = given({
    model: model.id,
    messages: [...systemMessages, ...turns.flatMap(turnOf), ...messagesOf(input)],
    max_completion_tokens: settings.maxTokens ?? undefined,
    temperature: settings.temperature ?? undefined,
    reasoning_effort: settings.effort ?? undefined,
    tools: tools.length === 0 ? undefined : tools.map((tool) => ({ type: 'function', function: tool })),
    stream: true,
    stream_options: { include_usage: true },
  });
  return jsonRequest(PATH, 'chat.completions', body, 'events');
}

function withToolCall(calls: readonly ToolCall[], delta: unknown): readonly ToolCall[] {
  const { index, id, function: called, extra_content: vendor } = fieldsOf(delta);
  const { name, arguments: more } = fieldsOf(called);
  return withCall(
    calls,
    (_, place) => place === index,
    (call) => ({
      ...call,
      id: textOf(id) || call.id,
      name: textOf(name) || call.name,
      arguments: call.arguments + textOf(more),
      ...(vendor !== undefined && { vendor }),
    }),
  );
}

function usageOf(value: unknown): ChatAnswer['usage'] {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = fieldsOf(value);
  if (numberOf(input) === undefined) return null;
  const cached = numberOf(fieldsOf(details).cached_tokens) ?? 0;
  return { input: numberOf(input) ?? 0, cached, output: numberOf(output) ?? 0 };
}

function read(answer: ChatAnswer, event: unknown): ChatAnswer {
  const { choices, usage, error } = fieldsOf(event);
  if (error !== undefined) throw errorIn(event, 502, null);
  const { delta, finish_reason: finish } = fieldsOf(listOf(choices)[0]);
  const { content, refusal, reasoning_content: thinking, tool_calls: calls } = fieldsOf(delta);
  return {
    ...answer,
    text: answer.text + textOf(content) + textOf(refusal),
    thinking: answer.thinking + textOf(thinking),
    calls: listOf(calls).reduce(withToolCall, answer.calls),
    usage: usageOf(usage) ?? answer.usage,
    finish: textOf(finish) || answer.finish,
  };
}

/** developers.openai.com/api/reference/chat-completions */
export const CHAT_COMPLETIONS: ChatDialect = {
  label: 'Chat completions',
  path: PATH,
  takes: () => true,
  build,
  read,
};
