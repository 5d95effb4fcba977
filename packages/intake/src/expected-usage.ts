import type { Endpoint, UnitCounts, Usage } from '@gateway/contracts';

/** The endpoints whose worst case is a guess: what they use is text, which nobody can count before it is there. */
const OF_TEXT: readonly Endpoint[] = ['chat.completions', 'messages', 'embeddings'];
/** What an answer is expected to be that may be longer: most answers are shorter. */
const EXPECTED_OUTPUT_TOKENS = 500;

/** A worst case counts three bytes a token, a usual text has four. */
const usualTokens = (tokensAtMost: number): number => Math.ceil((tokensAtMost * 3) / 4);

/**
 * What a request will probably use, out of the most that it can. Of text: the usual number of tokens for its bytes, and
 * an answer of 500 tokens, or of its cap if that is less. Of pictures, speech and videos: the same.
 */
export function expectedUsage(endpoint: Endpoint, worstCase: Usage): Usage {
  if (!OF_TEXT.includes(endpoint)) return worstCase;
  const units = Object.fromEntries(
    Object.entries(worstCase.units).map(([unit, count = 0]) => [
      unit,
      unit === 'output_token' ? Math.min(count, EXPECTED_OUTPUT_TOKENS) : usualTokens(count),
    ]),
  ) as UnitCounts;
  return { ...worstCase, units, inputTokensTotal: usualTokens(worstCase.inputTokensTotal) };
}
