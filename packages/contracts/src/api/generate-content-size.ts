import { isJsonObject } from '../json/json-object.js';
import { camelFields } from './proto-json.js';

/** What a part refers to or holds. `data`: base64; undefined for an address. */
export interface ContentMedia {
  readonly kind: 'image' | 'audio' | 'video' | 'file';
  readonly data: string | undefined;
}

/** The size of a request in Google's native format, for estimates of its tokens. */
export interface ContentSize {
  /** The texts of contents and instruction. */
  readonly texts: readonly string[];
  /** What else has tokens: calls, results, tools and schemas, as JSON. */
  readonly structured: readonly string[];
  readonly messages: number;
  readonly media: readonly ContentMedia[];
}

interface Sum {
  readonly texts: string[];
  readonly structured: string[];
  messages: number;
  readonly media: ContentMedia[];
}

const KINDS: Readonly<Record<string, ContentMedia['kind']>> = { image: 'image', audio: 'audio', video: 'video' };

/** An address without a type may be a video. */
export const mediaKindOf = (mimeType: unknown): ContentMedia['kind'] => {
  if (typeof mimeType !== 'string' || mimeType === '') return 'video';
  return KINDS[mimeType.split('/', 1)[0] ?? ''] ?? 'file';
};

function addJson(value: unknown, sum: Sum): void {
  if (value != null) sum.structured.push(JSON.stringify(value));
}

/** A text in a file of plain text counts as text. */
const isPlainText = (mimeType: unknown): boolean => typeof mimeType === 'string' && mimeType.startsWith('text/');

function addInline(value: unknown, sum: Sum): void {
  const { mimeType, data } = camelFields(value);
  const text = typeof data === 'string' ? data : '';
  if (isPlainText(mimeType)) sum.texts.push(Buffer.from(text, 'base64').toString('utf8'));
  else sum.media.push({ kind: mediaKindOf(mimeType), data: text });
}

function addPart(value: unknown, sum: Sum): void {
  const { text, inlineData, fileData, functionResponse, ...others } = camelFields(value);
  if (typeof text === 'string') sum.texts.push(text);
  if (inlineData !== undefined) addInline(inlineData, sum);
  if (fileData !== undefined) sum.media.push({ kind: mediaKindOf(camelFields(fileData).mimeType), data: undefined });
  if (functionResponse !== undefined) {
    const { parts, ...response } = camelFields(functionResponse);
    addJson(response, sum);
    if (Array.isArray(parts)) for (const part of parts) addPart(part, sum);
  }
  if (Object.keys(others).length > 0) addJson(others, sum);
}

function addContent(value: unknown, sum: Sum): void {
  const { parts } = camelFields(value);
  if (Array.isArray(parts)) for (const part of parts) addPart(part, sum);
}

/** Measures a request that may be invalid; never throws. Also the body of `countTokens`. */
export function measureContents(body: unknown): ContentSize {
  const outer = camelFields(body);
  const request = isJsonObject(outer.generateContentRequest) ? camelFields(outer.generateContentRequest) : outer;
  const sum: Sum = { texts: [], structured: [], messages: 0, media: [] };
  addContent(request.systemInstruction, sum);
  const contents = Array.isArray(request.contents) ? request.contents : [];
  for (const content of contents) addContent(content, sum);
  sum.messages = contents.length;
  const config = camelFields(request.generationConfig);
  for (const value of [request.tools, config.responseSchema, config.responseJsonSchema]) addJson(value, sum);
  return sum;
}
