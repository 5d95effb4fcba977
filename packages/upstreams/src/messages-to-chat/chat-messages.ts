import type {
  ChatMessage,
  ChatUserPart,
  MessagesAssistantBlock,
  MessagesInputMessage,
  MessagesUserBlock,
} from '@gateway/contracts';
import { contentParam, unsupportedValue } from '../client-request/refuse-request.js';
import { upstreamToolId } from './tool-call-id.js';

type ToolResult = Extract<MessagesUserBlock, { type: 'tool_result' }>;
type MediaBlock = Exclude<MessagesUserBlock, ToolResult>;
type ResultBlock = Exclude<NonNullable<ToolResult['content']>, string>[number];

const PDF = 'application/pdf';
const LINE_BREAK = '\n';

/** Converts one message. Tool results come first, each as its own chat message. Throws a GatewayError (400). */
export function chatMessagesOf(message: MessagesInputMessage, index: number): ChatMessage[] {
  if (message.role === 'system') return [{ role: 'system', content: joined(message.content) }];
  if (message.role === 'assistant') return assistantMessage(message.content);
  if (typeof message.content === 'string') return [{ role: 'user', content: message.content }];
  const results: ChatMessage[] = [];
  const resultMedia: ChatUserPart[] = [];
  const parts: ChatUserPart[] = [];
  message.content.forEach((block, partIndex) => {
    if (block.type === 'tool_result') {
      results.push(toolMessage(block));
      resultMedia.push(...mediaOf(block, contentParam(index, partIndex)));
    } else parts.push(...partsOf(block, contentParam(index, partIndex)));
  });
  const content = [...resultMedia, ...parts];
  return content.length === 0 ? results : [...results, { role: 'user', content }];
}

/** Joins a string or text blocks with line breaks. */
export const joined = (content: string | readonly { readonly text: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join(LINE_BREAK);

function toolMessage({ tool_use_id: id, content }: ToolResult): ChatMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  const text = blocks.flatMap(resultTextOf).join(LINE_BREAK);
  return { role: 'tool', tool_call_id: upstreamToolId(id).id, content: text };
}

/** Text of a result block. Unknown block types become their JSON. */
function resultTextOf(block: ResultBlock): string[] {
  if (block.type === 'text') return [block.text];
  return isMedia(block) ? [] : [JSON.stringify(block)];
}

const isMedia = ({ type }: ResultBlock): boolean => type === 'image' || type === 'document';

/** Images and documents of a tool result. Chat tool messages hold only text, so the next user message carries these. */
function mediaOf({ content }: ToolResult, param: string): ChatUserPart[] {
  if (content == null || typeof content === 'string') return [];
  return content.flatMap((block) => (isMedia(block) ? partsOf(block, param) : []));
}

function partsOf(block: MediaBlock, param: string): ChatUserPart[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  const { source } = block;
  if (block.type === 'image') return [{ type: 'image_url', image_url: { url: urlOf(block.source) } }];
  if (source.type === 'text') return [{ type: 'text', text: source.data }];
  if (source.type === 'content') return [{ type: 'text', text: joined(source.content) }];
  if (source.type === 'url' || source.media_type !== PDF)
    throw unsupportedValue('A document must be PDF or text.', param);
  const filename = block.title ?? 'document.pdf';
  return [{ type: 'file', file: { file_data: `data:${PDF};base64,${source.data}`, filename } }];
}

const urlOf = (source: Extract<MessagesUserBlock, { type: 'image' }>['source']): string =>
  source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;

/** Drops thinking, whose signature belongs to another vendor, and server tool uses. */
function assistantMessage(content: string | readonly MessagesAssistantBlock[]): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'assistant', content }];
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  const calls = content.flatMap((block) => (block.type === 'tool_use' ? [toolCallOf(block)] : []));
  if (text === '' && calls.length === 0) return [];
  return [{ role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }];
}

function toolCallOf(block: Extract<MessagesAssistantBlock, { type: 'tool_use' }>) {
  const { id, extra } = upstreamToolId(block.id);
  return {
    id,
    type: 'function' as const,
    function: { name: block.name, arguments: JSON.stringify(block.input) },
    ...extra,
  };
}
