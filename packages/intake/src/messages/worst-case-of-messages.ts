import { measureMessages, type Unit, type Usage } from '@gateway/contracts';

type Body = Readonly<Record<string, unknown>>;

const TOKENS_PER_MESSAGE = 8;
/** Tokens held for one part of each kind; what it really is, the upstream counts. */
const TOKENS_OF_IMAGE = 1_600;
const TOKENS_OF_FILE = 20_000;
/** Held for a search tool whose client sets no number of its own. */
const UNCAPPED_SEARCHES = 10;
const SEARCH_TOOL = /^web_search/;

const INPUT_UNIT = {
  none: 'input_token',
  '5m': 'cache_write_token',
  '1h': 'cache_write_1h_token',
} as const satisfies Record<string, Unit>;

/** Three bytes a token is more tokens than nearly any text really has; four is the average. */
const tokensAtMost = (utf8Bytes: number): number => Math.ceil(utf8Bytes / 3);

/**
 * The most that a request can reasonably use: its prompt by its bytes, its answer by `max_tokens`. A model that writes
 * caches (`isNative`) is charged more for a prompt of which it is asked to keep a part.
 */
export function worstCaseOfMessages(body: Body, maxTokens: number, isNative: boolean): Usage {
  const { textBytes, images, files, caching } = measureMessages(body);
  const messages = Array.isArray(body.messages) ? body.messages.length : 0;
  const input =
    tokensAtMost(textBytes) + messages * TOKENS_PER_MESSAGE + images * TOKENS_OF_IMAGE + files * TOKENS_OF_FILE;
  const searches = isNative ? searchesAtMost(body.tools) : 0;
  return {
    units: {
      [INPUT_UNIT[isNative ? caching : 'none']]: input,
      output_token: maxTokens,
      ...(searches > 0 && { web_search: searches }),
    },
    inputTokensTotal: input,
    isEstimated: true,
  };
}

function searchesAtMost(tools: unknown): number {
  if (!Array.isArray(tools)) return 0;
  const searching = tools.find((tool) => SEARCH_TOOL.test(String((tool as { type?: unknown } | null)?.type)));
  const { max_uses: cap } = (searching ?? {}) as { max_uses?: unknown };
  if (searching === undefined) return 0;
  return Number.isSafeInteger(cap) && (cap as number) >= 0 ? (cap as number) : UNCAPPED_SEARCHES;
}
