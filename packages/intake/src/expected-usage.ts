import type { Endpoint, UnitCounts, Usage } from '@gateway/contracts';

/** Endpoints whose worst case is an estimate: text is only counted once it exists. */
const TEXT_ENDPOINTS: readonly Endpoint[] = [
  'chat.completions',
  'completions',
  'responses',
  'messages',
  'models.generate_content',
  'models.stream_generate_content',
  'interactions',
  'embeddings',
  'models.embed_content',
  'models.batch_embed_contents',
  'rerank',
  'audio.transcriptions',
];
/** Most responses are shorter. */
const EXPECTED_OUTPUT_TOKENS = 500;

/** A worst case counts usual text at about twice its tokens. */
const averageTokens = (maxTokens: number): number => Math.ceil(maxTokens / 2);

/**
 * Estimates the likely usage from the worst case. Text: the average tokens of its bytes, and 500 output tokens or the cap if
 * that is less. Images, speech and videos: the worst case itself.
 */
export function expectedUsage(endpoint: Endpoint, worstCase: Usage): Usage {
  if (!TEXT_ENDPOINTS.includes(endpoint) || worstCase.units.output_image_token !== undefined) return worstCase;
  const units = Object.fromEntries(
    Object.entries(worstCase.units).map(([unit, count = 0]) => [
      unit,
      unit === 'output_token' ? Math.min(count, EXPECTED_OUTPUT_TOKENS) : averageTokens(count),
    ]),
  ) as UnitCounts;
  return { ...worstCase, units, inputTokensTotal: averageTokens(worstCase.inputTokensTotal) };
}
