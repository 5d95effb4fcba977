import { GatewayError, sumUsage, type Usage } from '@gateway/contracts';
import type { WorstCase } from '../hold-range.js';

/** Some prices rise with the length of a prompt. Below this sum, no single prompt is that long. */
const MAX_PROMPT_TOKENS = 100_000;

/** The hold of several calls. Without a cap each is held with the model's longest output. Throws a 400 for prompts that are too long together. */
export function worstCaseOfCalls(calls: readonly Pick<WorstCase, 'worstCase'>[]): Usage {
  const usage = calls.map(({ worstCase }) => worstCase).reduce(sumUsage);
  if (usage.inputTokensTotal <= MAX_PROMPT_TOKENS) return usage;
  throw new GatewayError(
    'invalid_request',
    `'prompt': expected at most ${MAX_PROMPT_TOKENS} tokens in all for several completions. Send one request for each.`,
    { param: 'prompt' },
  );
}
