import {
  GatewayError,
  type MediaPart,
  type MessagesInputMessage,
  type MessagesUserBlock,
  type NeutralMessage,
  type TextPart,
  type ToolResultPart,
  upstreamToolId,
} from '@gateway/contracts';
import { cacheOf } from '../cache-mark.js';
import { assistantParts } from './decode-assistant.js';

type ToolResult = Extract<MessagesUserBlock, { type: 'tool_result' }>;
type MediaBlock = Exclude<MessagesUserBlock, ToolResult>;
type ResultBlock = Exclude<NonNullable<ToolResult['content']>, string>[number];

const PDF = 'application/pdf';
const LINE_BREAK = '\n';

/** Joins a string or text blocks with line breaks. */
const joined = (content: string | readonly { readonly text: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join(LINE_BREAK);

/** Decodes the text of an instruction. Keeps blocks apart only where one has a cache mark. */
export function instructionParts(content: string | readonly { readonly text: string }[]): readonly TextPart[] {
  if (typeof content === 'string' || content.every((block) => cacheOf(block) === undefined)) {
    const text = joined(content);
    return text === '' ? [] : [{ type: 'text', text }];
  }
  return content.map((block) => ({ type: 'text', text: block.text, cache: cacheOf(block) }));
}

/** Decodes one message. Tool results become a message of their own, before the rest. Throws a GatewayError (400). */
export function decodeMessage(message: MessagesInputMessage, index: number): NeutralMessage[] {
  const path = `messages[${index}]`;
  if (message.role === 'system') return decodeSystem(message, path);
  if (message.role === 'assistant') {
    const content = assistantParts(message.content, path);
    return content.length === 0 ? [] : [{ role: 'assistant', path, content }];
  }
  if (typeof message.content === 'string') {
    return [{ role: 'user', path, content: [{ type: 'text', text: message.content }] }];
  }
  const results: ToolResultPart[] = [];
  const parts: (TextPart | MediaPart)[] = [];
  message.content.forEach((block, partIndex) => {
    const place = `${path}.content[${partIndex}]`;
    if (block.type === 'tool_result') results.push(decodeResult(block, place));
    else parts.push(...decodeBlock(block, place));
  });
  const messages: NeutralMessage[] = results.length === 0 ? [] : [{ role: 'tool', path, content: results }];
  return parts.length === 0 ? messages : [...messages, { role: 'user', path, content: parts }];
}

/** What changes tools or effort only is no message. */
function decodeSystem({ content }: Extract<MessagesInputMessage, { role: 'system' }>, path: string): NeutralMessage[] {
  const texts = typeof content === 'string' ? content : content.filter((block) => block.type === 'text');
  const parts = instructionParts(texts);
  return parts.length === 0 ? [] : [{ role: 'system', path, content: parts }];
}

function decodeResult(block: ToolResult, place: string): ToolResultPart {
  const { tool_use_id: id, content, is_error: isError } = block;
  const blocks: readonly ResultBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  return {
    type: 'tool-result',
    id: upstreamToolId(id).id,
    kind: 'function',
    content: blocks.flatMap((one) => decodeResultBlock(one, place)),
    isError: isError === true ? true : undefined,
    cache: cacheOf(block),
    path: `${place}.tool_use_id`,
  };
}

const DECODED: ReadonlySet<string> = new Set<ResultBlock['type']>(['text', 'image', 'document', 'search_result']);

/** Unknown kinds of block become their JSON: the model can still read it. */
const decodeResultBlock = (block: ResultBlock, place: string): readonly (TextPart | MediaPart)[] =>
  DECODED.has(block.type) ? decodeBlock(block, place) : [{ type: 'text', text: JSON.stringify(block) }];

function decodeBlock(block: MediaBlock, path: string): readonly (TextPart | MediaPart)[] {
  const cache = cacheOf(block);
  if (block.type === 'text') return [{ type: 'text', text: block.text, cache }];
  if (block.type === 'search_result') {
    return [...about(block.title, block.source), { type: 'text', text: joined(block.content), cache }];
  }
  const { source } = block;
  if (source.type === 'text' || source.type === 'content') {
    const text = source.type === 'text' ? source.data : joined(source.content);
    const head = block.type === 'document' ? about(block.title, block.context) : [];
    return [...head, { type: 'text', text, cache }];
  }
  const shared = { type: 'media', cache, clientType: block.type, path } as const;
  if (source.type === 'url') {
    const address = { kind: 'url', url: source.url } as const;
    // The vendor of this format reads PDFs alone from an address.
    return block.type === 'document'
      ? pdf(block, { ...shared, source: address })
      : [{ ...shared, media: 'image', source: address }];
  }
  const { media_type: mediaType, data } = source;
  if (block.type === 'image') return [{ ...shared, media: 'image', mediaType, source: { kind: 'base64', data } }];
  if (mediaType !== PDF) throw notADocument(path);
  return pdf(block, { ...shared, source: { kind: 'base64', data } });
}

const pdf = (
  { title, context }: Extract<MediaBlock, { type: 'document' }>,
  file: Omit<MediaPart, 'media' | 'mediaType' | 'filename'>,
): readonly (TextPart | MediaPart)[] => [
  ...about(context),
  { ...file, media: 'file', mediaType: PDF, filename: title ?? 'document.pdf' },
];

/** The vendor of this format shows title and context of a document, and title and source of a result, to its model. */
function about(...facts: readonly (string | null | undefined)[]): readonly TextPart[] {
  const text = facts.filter(Boolean).join(LINE_BREAK);
  return text === '' ? [] : [{ type: 'text', text: `${text}${LINE_BREAK}` }];
}

const notADocument = (param: string): GatewayError =>
  new GatewayError('unsupported_value', 'A document must be PDF or text.', { param });
