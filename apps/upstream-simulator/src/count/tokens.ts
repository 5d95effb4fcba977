import { quartersOf } from './quarters.js';

/* For every vendor: a token has four bytes of English, rounded up once over the sum. Each medium has a fixed weight. */
export const QUARTERS_PER_TOKEN = 4;
export const IMAGE_TOKENS = 85;
export const AUDIO_TOKENS = 250;
export const VIDEO_TOKENS = 500;
const FILE_TOKENS = 250;
export const tokensOfQuarters = (quarters: number): number => Math.ceil(quarters / QUARTERS_PER_TOKEN);
export const tokensOfText = (text: string): number => tokensOfQuarters(quartersOf(text));

export interface PromptContents {
  readonly textQuarters: number;
  readonly images: number;
  readonly audios: number;
  readonly videos: number;
  readonly files: number;
}

const mediaTokens = (contents: PromptContents): number =>
  contents.images * IMAGE_TOKENS +
  contents.audios * AUDIO_TOKENS +
  contents.videos * VIDEO_TOKENS +
  contents.files * FILE_TOKENS;

export const inputTokens = (contents: PromptContents): number =>
  tokensOfQuarters(contents.textQuarters) + mediaTokens(contents);

/** Tokens of one call. `inputTokens` includes cached and cache-written tokens. */
export interface TokenCounts {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  /** The part of `cacheWriteTokens` with a life of one hour. */
  readonly cacheWrite1hTokens?: number;
  /** Server-side searches. */
  readonly webSearches?: number;
  /** Output of calls that the vendor runs itself, spent before the answer. */
  readonly serverCallTokens?: number;
  /** Text and tool argument JSON. */
  readonly visibleTokens: number;
  readonly reasoningTokens: number;
}

/** Usage in vendor-neutral parts, which add up. */
export interface InvoiceUsage {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
  /** Other billed units by name: images, image tokens, characters. */
  readonly units?: Readonly<Record<string, number>>;
}

/** Usage without cached tokens. */
export const invoiceOf = (
  units: Readonly<Record<string, number>>,
  text: { readonly input?: number; readonly output?: number } = {},
): InvoiceUsage => ({
  input_tokens: text.input ?? 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: text.output ?? 0,
  units: Object.fromEntries(Object.entries(units).filter(([, count]) => count > 0)),
});

const extraUnits = ({ cacheWrite1hTokens = 0, webSearches = 0 }: TokenCounts): Pick<InvoiceUsage, 'units'> =>
  cacheWrite1hTokens + webSearches === 0
    ? {}
    : {
        units: {
          ...(cacheWrite1hTokens > 0 ? { cache_write_1h_token: cacheWrite1hTokens } : {}),
          ...(webSearches > 0 ? { web_search: webSearches } : {}),
        },
      };

/** All output of a whole response. */
export const outputTokensOf = ({ visibleTokens, reasoningTokens, serverCallTokens = 0 }: TokenCounts): number =>
  visibleTokens + reasoningTokens + serverCallTokens;

export const invoiceUsage = (counts: TokenCounts, outputTokens: number): InvoiceUsage => ({
  input_tokens: counts.inputTokens - counts.cachedTokens - counts.cacheWriteTokens,
  cached_input_tokens: counts.cachedTokens,
  cache_write_tokens: counts.cacheWriteTokens - (counts.cacheWrite1hTokens ?? 0),
  output_tokens: outputTokens,
  ...extraUnits(counts),
});

const DIRECTIVE_MARK = '{{sim';
const JSON_MARK = 'JSON object';
const SCHEMA_MARK = '"properties"';

/** The contents of a prompt, counted while a vendor reads it. */
export class PromptTally implements PromptContents {
  textQuarters = 0;
  textBytes = 0;
  images = 0;
  audios = 0;
  videos = 0;
  files = 0;
  lastUserText = '';
  readonly toolResults: string[] = [];
  readonly directed: string[] = [];
  /** A text contains `JSON object`. */
  requestsJson = false;
  /** The text with a JSON schema, which clients write into the prompt where a vendor has no field for it. */
  schemaText = '';

  constructor(...texts: readonly string[]) {
    for (const text of texts) this.addText(text);
  }

  addText(text: string): void {
    this.textQuarters += quartersOf(text);
    this.textBytes += Buffer.byteLength(text);
    if (text.includes(DIRECTIVE_MARK)) this.directed.push(text);
    if (text.includes(JSON_MARK)) this.requestsJson = true;
    if (text.includes(SCHEMA_MARK)) this.schemaText = text;
  }

  addToolResult(text: string): void {
    this.addText(text);
    this.toolResults.push(text);
  }
}
