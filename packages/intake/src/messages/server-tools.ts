import { DEFAULT_TOOL_USES } from '@gateway/upstreams';

/** What the server tools of one request may use. */
export interface ServerToolUse {
  readonly searches: number;
  /** Tokens of their results, which join the prompt. */
  readonly tokens: number;
}

/** Ten results of a search, each with at most about 2,000 tokens. */
const TOKENS_OF_SEARCH = 20_000;
/** A page or a document, if the tool sets no `max_content_tokens`. */
const TOKENS_OF_FETCH = 100_000;

interface Tool {
  readonly type?: unknown;
  readonly max_uses?: unknown;
  readonly max_content_tokens?: unknown;
}

const countOr = (value: unknown, otherwise: number): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise;

/** The most that all server tools of a request in the native messages format may use together. */
export function mostServerTools(tools: unknown): ServerToolUse {
  let searches = 0;
  let tokens = 0;
  for (const tool of Array.isArray(tools) ? (tools as readonly (Tool | null)[]) : []) {
    const type = String(tool?.type);
    const uses = countOr(tool?.max_uses, DEFAULT_TOOL_USES);
    if (type.startsWith('web_search')) {
      searches += uses;
      tokens += uses * TOKENS_OF_SEARCH;
    } else if (type.startsWith('web_fetch')) {
      tokens += uses * countOr(tool?.max_content_tokens, TOKENS_OF_FETCH);
    }
  }
  return { searches, tokens };
}
