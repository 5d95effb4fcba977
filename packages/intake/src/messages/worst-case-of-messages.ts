import { measureMessages, type Unit, type Usage } from '@gateway/contracts';
import { maxTokens } from '../max-tokens.js';

type Body = Readonly<Record<string, unknown>>;

const TOKENS_PER_MESSAGE = 8;
/** Tokens held for one part of each kind. The upstream counts the real number. */
const TOKENS_OF_IMAGE = 1_600;
const TOKENS_OF_FILE = 20_000;
/** Searches held for a search tool without `max_uses`. */
const UNCAPPED_SEARCHES = 10;
const SEARCH_TOOL = /^web_search/;

const INPUT_UNIT = {
  none: 'input_token',
  '5m': 'cache_write_token',
  '1h': 'cache_write_1h_token',
} as const satisfies Record<string, Unit>;

/**
 * The most that a request can reasonably use: its prompt by its bytes, its output by `maxOutputTokens`. If the upstream
 * speaks the format itself (`isNative`), a prompt that is written to a cache has its own unit.
 */
export function worstCaseOfMessages(body: Body, maxOutputTokens: number, isNative: boolean): Usage {
  const { textBytes, images, files, caching } = measureMessages(body);
  const messages = Array.isArray(body.messages) ? body.messages.length : 0;
  const input =
    maxTokens(textBytes) + messages * TOKENS_PER_MESSAGE + images * TOKENS_OF_IMAGE + files * TOKENS_OF_FILE;
  const searches = isNative ? maxSearches(body.tools) : 0;
  return {
    units: {
      [INPUT_UNIT[isNative ? caching : 'none']]: input,
      output_token: maxOutputTokens,
      ...(searches > 0 && { web_search: searches }),
    },
    inputTokensTotal: input,
    isEstimated: true,
  };
}

function maxSearches(tools: unknown): number {
  if (!Array.isArray(tools)) return 0;
  const searching = tools.find((tool) => SEARCH_TOOL.test(String((tool as { type?: unknown } | null)?.type)));
  const { max_uses: cap } = (searching ?? {}) as { max_uses?: unknown };
  if (searching === undefined) return 0;
  return Number.isSafeInteger(cap) && (cap as number) >= 0 ? (cap as number) : UNCAPPED_SEARCHES;
}
