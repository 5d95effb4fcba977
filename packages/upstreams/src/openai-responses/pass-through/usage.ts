import {
  estimateTokens,
  isJsonObject,
  type JsonObject,
  type NativeResponsesRequest,
  textSize,
  type Usage,
  visitResponsesInput,
} from '@gateway/contracts';
import { objectAt, stringAt } from '../../json/read-fields.js';
import { estimateResponsesTokens } from '../../metering/estimate-input-tokens.js';
import { readCount, type TokenCounts, usageOf } from '../../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../../metering/unpriced-usage.js';
import type { PassThroughResponsesCall } from '../../protocol.js';
import { readResponsesUsage } from '../usage.js';

/** `tool_usage` of a response: calls of the vendor's tools. Tokens of a tool that is not offered would be new. */
const KNOWN_TOOLS: KnownUsage = { counts: new Set(['web_search.num_requests']) };

/** True of an item that is a search of the web. Pages that the vendor opens or searches in are not billed. */
export const isSearch = (item: JsonObject): boolean =>
  item.type === 'web_search_call' && objectAt(item, 'action').type === 'search';

/** Adds the searches to a usage. */
export const withSearches = (usage: Usage, searches: number): Usage =>
  searches === 0 ? usage : { ...usage, units: { ...usage.units, web_search: searches } };

/** The usage that a finished response reports. Undefined without valid counts. */
export function reportedUsage(response: JsonObject): Usage | undefined {
  const counts = readResponsesUsage(response.usage, response.service_tier);
  if (counts === undefined) return undefined;
  const tools = objectAt(response, 'tool_usage');
  const searches = readCount(objectAt(tools, 'web_search').num_requests) ?? itemsOf(response).filter(isSearch).length;
  return withUnpriced(withSearches(usageOf(counts, false), searches), unpricedIn(tools, KNOWN_TOOLS));
}

const itemsOf = (response: JsonObject): readonly JsonObject[] =>
  Array.isArray(response.output) ? response.output.filter(isJsonObject) : [];

/** Estimates a prompt, until the upstream has counted it. */
export function estimatePrompt({
  body,
}: Pick<PassThroughResponsesCall, 'body'>): Pick<TokenCounts, 'promptTokens' | 'cachedTokens'> {
  const size = { textSize: 0, images: 0, recordings: 0, files: 0 };
  visitResponsesInput(JSON.parse(body.toString('utf8')) as NativeResponsesRequest, {
    text: (text) => {
      size.textSize += textSize(text);
    },
    media: (kind) => {
      size[MEDIA_COUNT[kind]] += 1;
    },
  });
  return { promptTokens: estimateResponsesTokens(size), cachedTokens: 0 };
}

const MEDIA_COUNT = { image: 'images', audio: 'recordings', file: 'files' } as const;

const WRITTEN = ['text', 'refusal', 'arguments', 'input', 'name', 'delta'] as const;

/** The size of what a model wrote in an item, a part or an event. */
export const writtenSize = (holder: JsonObject): number =>
  WRITTEN.reduce((sum, field) => sum + textSize(stringAt(holder, field)), 0);

/** Estimates a response without counts. */
export function estimateResponse(response: JsonObject, call: Pick<PassThroughResponsesCall, 'body'>): Usage {
  let size = 0;
  for (const item of itemsOf(response)) {
    size += writtenSize(item);
    for (const parts of [item.content, item.summary]) {
      if (Array.isArray(parts)) for (const part of parts.filter(isJsonObject)) size += writtenSize(part);
    }
  }
  const counts = { ...estimatePrompt(call), completionTokens: estimateTokens(size), reasoningTokens: 0 };
  return withSearches(usageOf(counts, true), itemsOf(response).filter(isSearch).length);
}
