import type { Completion } from '../../completion/completion.js';
import { type InvoiceUsage, invoiceOf, invoiceUsage, type TokenCounts } from '../../count/tokens.js';
import type { BilledApart } from '../../journal/journal.js';
import type { Fields } from '../../json/fields.js';
import { newId } from '../vendor-ids.js';

/** Sizes of what the vendor samples besides the answer, near those of recorded answers. */
const SUMMARY_TOKENS = 592;
const REST_TOKENS = 90;
const CALL_TOKENS = 35;
const ADVICE_INPUT_TOKENS = 1_677;
const ADVICE_TOKENS = 874;
const ADVICE_READ_TOKENS = 312;
/** A container is billed for five minutes at least. */
const CONTAINER_SECONDS = 300;
const SUMMARY = 'Summary of the conversation so far.';
const ADVICE = 'Do the simple thing first.';

type IterationType = 'message' | 'compaction' | 'advisor_message' | 'fallback_message';

/** What a request asks the vendor to do on its own side. */
export interface ServerFeatures {
  readonly compaction: { readonly pauses: boolean } | null;
  /** The advising model. */
  readonly advisor: string | null;
  /** The model that answers instead of a refusal. */
  readonly fallback: string | null;
  readonly runsCode: boolean;
}

/** What the vendor does on its side before the model answers. */
export interface ServerWork {
  /** The counts of the top-level `usage`. */
  readonly counts: TokenCounts;
  /** The input that `message_start` reports. */
  readonly startCounts: TokenCounts;
  /** The model that answers, and that `counts` are billed at. */
  readonly model: string;
  /** Null: one sampling, which the vendor does not list. */
  readonly iterations: readonly object[] | null;
  /** Content before the answer. */
  readonly blocks: readonly Fields[];
  /** The turn ends with the compaction, without an answer. */
  readonly isPaused: boolean;
  readonly container: object | null;
  /** Billed besides `counts`, each at its own model. */
  readonly apart: readonly BilledApart[];
}

const NO_TOKENS: TokenCounts = {
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  visibleTokens: 0,
  reasoningTokens: 0,
};

const iteration = (type: IterationType, counts: TokenCounts, outputTokens: number, model?: string): object => ({
  input_tokens: counts.inputTokens - counts.cachedTokens - counts.cacheWriteTokens,
  output_tokens: outputTokens,
  cache_read_input_tokens: counts.cachedTokens,
  cache_creation_input_tokens: counts.cacheWriteTokens,
  cache_creation: {
    ephemeral_5m_input_tokens: counts.cacheWriteTokens - (counts.cacheWrite1hTokens ?? 0),
    ephemeral_1h_input_tokens: counts.cacheWrite1hTokens ?? 0,
  },
  type,
  ...(model !== undefined && { model }),
});

const outputOf = ({ visibleTokens, reasoningTokens }: TokenCounts): number => visibleTokens + reasoningTokens;

const nothingElse = (model: string, { counts }: Completion): ServerWork => ({
  counts,
  startCounts: counts,
  model,
  iterations: null,
  blocks: [],
  isPaused: false,
  container: null,
  apart: [],
});

/** The prompt becomes a summary; its tokens are not in the top-level usage. */
const compact = (plain: ServerWork, pauses: boolean): ServerWork => {
  const { counts, model } = plain;
  const rest: TokenCounts = pauses
    ? NO_TOKENS
    : { ...NO_TOKENS, ...answerOf(counts), inputTokens: SUMMARY_TOKENS + REST_TOKENS };
  const usage = invoiceUsage({ ...counts, webSearches: 0 }, SUMMARY_TOKENS);
  const message = pauses ? [] : [iteration('message', rest, outputOf(rest))];
  return {
    ...plain,
    counts: rest,
    iterations: [iteration('compaction', counts, SUMMARY_TOKENS), ...message],
    blocks: [{ type: 'compaction', content: SUMMARY }],
    isPaused: pauses,
    apart: [{ type: 'compaction', model, usage }],
  };
};

const answerOf = ({ visibleTokens, reasoningTokens, webSearches = 0 }: TokenCounts) => ({
  visibleTokens,
  reasoningTokens,
  webSearches,
});

/** A second model reads the conversation and advises the first, which then reads the prompt again. */
const consult = (plain: ServerWork, advisor: string): ServerWork => {
  const { counts } = plain;
  const id = `srvtoolu_01${newId(22)}`;
  const asked = { ...NO_TOKENS, inputTokens: counts.inputTokens + ADVICE_INPUT_TOKENS };
  const again = { ...NO_TOKENS, inputTokens: counts.inputTokens + ADVICE_READ_TOKENS };
  return {
    ...plain,
    counts: { ...counts, inputTokens: counts.inputTokens + again.inputTokens, serverCallTokens: CALL_TOKENS },
    iterations: [
      iteration('message', counts, CALL_TOKENS),
      iteration('advisor_message', asked, ADVICE_TOKENS, advisor),
      iteration('message', again, outputOf(counts)),
    ],
    blocks: [
      { type: 'server_tool_use', id, name: 'advisor', input: {} },
      { type: 'advisor_tool_result', tool_use_id: id, content: { type: 'advisor_result', text: ADVICE } },
    ],
    apart: [{ type: 'advisor_message', model: advisor, usage: invoiceUsage(asked, ADVICE_TOKENS) }],
  };
};

/** The first model declines before any output, which is free; the other one answers at its own price. */
const fallBack = (plain: ServerWork, fallback: string): ServerWork => {
  const { counts, model } = plain;
  return {
    ...plain,
    model: fallback,
    iterations: [
      iteration('message', counts, 0, model),
      iteration('fallback_message', counts, outputOf(counts), fallback),
    ],
    blocks: [{ type: 'fallback', from: { model }, to: { model: fallback } }],
  };
};

const runCode = (plain: ServerWork, model: string): ServerWork => {
  const id = `srvtoolu_01${newId(22)}`;
  const usage: InvoiceUsage = invoiceOf({ container_second: CONTAINER_SECONDS });
  const ran = { type: 'bash_code_execution_result', stdout: '4\n', stderr: '', return_code: 0, content: [] };
  return {
    ...plain,
    counts: { ...plain.counts, serverCallTokens: (plain.counts.serverCallTokens ?? 0) + CALL_TOKENS },
    container: {
      id: `container_01${newId(22)}`,
      expires_at: new Date(Date.now() + CONTAINER_SECONDS * 1_000).toISOString(),
    },
    blocks: [
      ...plain.blocks,
      { type: 'server_tool_use', id, name: 'bash_code_execution', input: { command: 'echo $((2+2))' } },
      { type: 'bash_code_execution_tool_result', tool_use_id: id, content: ran },
    ],
    apart: [...plain.apart, { type: 'code_execution', model, usage }],
  };
};

/** What the vendor samples and runs for this call, and what it bills besides the answer. */
export const serverWork = (model: string, completion: Completion, features: ServerFeatures): ServerWork => {
  const plain = nothingElse(model, completion);
  const { compaction, advisor, fallback, runsCode } = features;
  if (compaction !== null) return compact(plain, compaction.pauses);
  if (fallback !== null) return fallBack(plain, fallback);
  const advised = advisor === null ? plain : consult(plain, advisor);
  return runsCode ? runCode(advised, model) : advised;
};
