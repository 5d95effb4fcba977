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
const LINE = '\n';

/** One turn as chat messages: results of tools come first, each as a message of its own. Throws a GatewayError (400). */
export function chatMessagesOf(turn: MessagesInputMessage, index: number): ChatMessage[] {
  if (turn.role === 'system') return [{ role: 'system', content: joined(turn.content) }];
  if (turn.role === 'assistant') return assistantMessage(turn.content);
  if (typeof turn.content === 'string') return [{ role: 'user', content: turn.content }];
  const results: ChatMessage[] = [];
  const shown: ChatUserPart[] = [];
  const parts: ChatUserPart[] = [];
  turn.content.forEach((block, place) => {
    if (block.type === 'tool_result') {
      results.push(toolMessage(block));
      shown.push(...mediaOf(block, contentParam(index, place)));
    } else parts.push(...partsOf(block, contentParam(index, place)));
  });
  const content = [...shown, ...parts];
  return content.length === 0 ? results : [...results, { role: 'user', content }];
}

/** Text of a content that is a string or blocks of text. */
export const joined = (content: string | readonly { readonly text: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join(LINE);

function toolMessage({ tool_use_id: id, content }: ToolResult): ChatMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
  const text = blocks.flatMap(wordsOf).join(LINE);
  return { role: 'tool', tool_call_id: upstreamToolId(id).id, content: text };
}

/** What a result says; a block of a kind that is not known here is given as it is written. */
function wordsOf(block: ResultBlock): string[] {
  if (block.type === 'text') return [block.text];
  return isMedia(block) ? [] : [JSON.stringify(block)];
}

const isMedia = ({ type }: ResultBlock): boolean => type === 'image' || type === 'document';

/** A chat message of a tool holds text only: pictures and documents that it gave are shown by the user after it. */
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

/** Thinking stays here, signed for another wire, and so do calls that the format's vendor made by itself. */
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
