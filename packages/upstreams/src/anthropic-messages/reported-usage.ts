import { isJsonObject, type Usage } from '@gateway/contracts';
import { type TokenCounts, usageOf } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';
import { splitIterations } from './iterations.js';

/** Fields of `usage`: platform.claude.com/docs/en/api/messages. A fetch costs its tokens only. */
const KNOWN: KnownUsage = {
  counts: new Set([
    ...['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'iterations'],
    ...['cache_creation.ephemeral_5m_input_tokens', 'cache_creation.ephemeral_1h_input_tokens'],
    ...['output_tokens_details.thinking_tokens', 'server_tool_use.web_search_requests'],
    ...['server_tool_use.web_fetch_requests', 'server_tool_use.tool_search_requests'],
  ]),
  words: { service_tier: ['standard'], speed: ['standard'], inference_geo: ['global', 'not_available'] },
};

/** The usage of a message: its counts, the calls that `iterations` lists, and the fields without a price. */
export function messagesUsageOf(counts: TokenCounts, isEstimated: boolean, reported: unknown): Usage {
  const usage = withUnpriced(usageOf(counts, isEstimated), unpricedIn(reported, KNOWN));
  return isJsonObject(reported) ? splitIterations(usage, reported.iterations) : usage;
}
