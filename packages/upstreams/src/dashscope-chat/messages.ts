import { type ChatCompletionRequest, type ChatMessage, type ChatUserPart, upstreamToolId } from '@gateway/contracts';
import { parseDataUri } from '../media/data-uri.js';
import { extensionOf } from '../media/media-type.js';
import { JSON_INSTRUCTION, needsJsonWord } from '../openai-compatible-chat/json-word.js';
import type { DashScopeAudioPart } from './wire.js';

type AssistantPart = Exclude<Extract<ChatMessage, { role: 'assistant' }>['content'], string | null | undefined>[number];

/** Converts messages for the vendor: `developer` to `system`, refusals to text, audio URLs to `input_audio`. */
export function dashScopeMessages(request: ChatCompletionRequest, needsJsonInstruction: boolean): readonly unknown[] {
  const messages = request.messages.map(dashScopeMessage);
  return needsJsonInstruction || needsJsonWord(request) ? [JSON_INSTRUCTION, ...messages] : messages;
}

/** Ids of calls that another vendor's model made may carry its data, and are too long. */
const ownCall = <Call extends { readonly id: string }>(call: Call): Call => ({
  ...call,
  id: upstreamToolId(call.id).id,
});

function dashScopeMessage(message: ChatMessage): unknown {
  if (message.role === 'developer') return { ...message, role: 'system' };
  if (message.role === 'tool') return { ...message, tool_call_id: upstreamToolId(message.tool_call_id).id };
  if (message.role === 'assistant' && message.tool_calls != null) {
    return dashScopeAnswer({ ...message, tool_calls: message.tool_calls.map(ownCall) });
  }
  return message.role === 'assistant' ? dashScopeAnswer(message) : dashScopeUserMessage(message);
}

const dashScopeAnswer = (message: Extract<ChatMessage, { role: 'assistant' }>): unknown =>
  Array.isArray(message.content) ? { ...message, content: message.content.map(assistantPart) } : message;

const dashScopeUserMessage = (message: ChatMessage): unknown =>
  message.role !== 'user' || typeof message.content === 'string'
    ? message
    : { ...message, content: message.content.map(dashScopePart) };

/** The vendor has no refusal part. */
const assistantPart = (part: AssistantPart): AssistantPart =>
  part.type === 'refusal' ? { type: 'text', text: part.refusal } : part;

function dashScopePart(part: ChatUserPart): ChatUserPart | DashScopeAudioPart {
  if (part.type === 'audio_url') return audio(part.audio_url.url, undefined);
  if (part.type === 'input_audio') return audio(part.input_audio.data, part.input_audio.format);
  return part;
}

function audio(source: string, format: string | undefined): DashScopeAudioPart {
  const isReference = source.startsWith('data:') || /^[a-z]+:\/\//i.test(source);
  const known = format ?? (formatOf(source) || 'mp3');
  const data = isReference ? source : `data:audio/${known};base64,${source}`;
  return { type: 'input_audio', input_audio: { data, format: known } };
}

const formatOf = (source: string): string =>
  source.startsWith('data:') ? (parseDataUri(source)?.mediaType.split('/')[1] ?? '') : extensionOf(source);
