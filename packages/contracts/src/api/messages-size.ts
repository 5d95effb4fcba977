import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { textSize } from '../usage/text-size.js';

/** The size of a request in the native messages format, for estimates of its tokens. */
export interface MessagesSize {
  /** Of all text, in the unit of the measure: quarter tokens by default. */
  readonly textSize: number;
  readonly images: number;
  /** Documents other than text. */
  readonly files: number;
  /** The most expensive cache that the request writes. */
  readonly caching: 'none' | '5m' | '1h';
}

interface Sum {
  readonly sizeOf: (text: string) => number;
  textSize: number;
  images: number;
  files: number;
  caching: MessagesSize['caching'];
}

function addText(value: unknown, sum: Sum): void {
  sum.textSize += sum.sizeOf(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
}

function addCaching(holder: JsonObject, sum: Sum): void {
  if (!isJsonObject(holder.cache_control)) return;
  if (holder.cache_control.ttl === '1h') sum.caching = '1h';
  else if (sum.caching === 'none') sum.caching = '5m';
}

function addContent(content: unknown, sum: Sum): void {
  if (!Array.isArray(content)) {
    if (content != null) addText(content, sum);
    return;
  }
  for (const block of content) {
    if (isJsonObject(block)) addBlock(block, sum);
    else addText(block, sum);
  }
}

/** A block of an unknown kind counts as its JSON text. */
function addBlock(block: JsonObject, sum: Sum): void {
  addCaching(block, sum);
  if (block.type === 'image') sum.images += 1;
  else if (block.type === 'document') addDocument(block, sum);
  else if (block.type === 'text') addText(block.text ?? '', sum);
  else if (block.type === 'tool_result') addContent(block.content, sum);
  else if (block.type === 'tool_use') for (const part of [block.name ?? '', block.input ?? {}]) addText(part, sum);
  else if (block.type === 'thinking') addText(block.thinking ?? '', sum);
  else if (block.type === 'tool_addition') addAddition(block, sum);
  else addText(block, sum);
}

/** A tool may be written to a cache, wherever it is defined. */
function addAddition(block: JsonObject, sum: Sum): void {
  addText(block, sum);
  if (isJsonObject(block.tool) && isJsonObject(block.tool.definition)) addCaching(block.tool.definition, sum);
}

/** The model reads title and context too. */
function addDocument({ source, title, context }: JsonObject, sum: Sum): void {
  for (const about of [title, context]) if (about != null) addText(about, sum);
  if (!isJsonObject(source)) return;
  if (source.type === 'text') addText(source.data ?? '', sum);
  else if (source.type === 'content') addContent(source.content, sum);
  else sum.files += 1;
}

/**
 * Measures a request that may be invalid; never throws. Validation is up to its model's schema or upstream. `sizeOf`: the
 * measure of a text.
 */
export function measureMessages(request: JsonObject, sizeOf: (text: string) => number = textSize): MessagesSize {
  const sum: Sum = { sizeOf, textSize: 0, images: 0, files: 0, caching: 'none' };
  addCaching(request, sum);
  addContent(request.system, sum);
  for (const message of Array.isArray(request.messages) ? request.messages : []) {
    if (isJsonObject(message)) addContent(message.content, sum);
  }
  for (const tool of Array.isArray(request.tools) ? request.tools : []) {
    if (isJsonObject(tool)) addCaching(tool, sum);
    addText(tool, sum);
  }
  return sum;
}
