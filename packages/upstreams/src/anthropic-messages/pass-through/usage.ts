import { isJsonObject, type JsonObject, measureMessages, type Usage } from '@gateway/contracts';
import { objectAt } from '../../json/read-fields.js';
import { estimateMessagesTokens } from '../../metering/estimate-input-tokens.js';
import { readOptionalCount, type TokenCounts } from '../../metering/token-counts.js';
import { messagesUsageOf } from '../reported-usage.js';

/** Converts the counts to units. Adds `web_search` for each search of the vendor's server tool. */
export function nativeUsageOf(counts: TokenCounts, isEstimated: boolean, reported: unknown): Usage {
  const usage = messagesUsageOf(counts, isEstimated, reported);
  const tools = isJsonObject(reported) ? objectAt(reported, 'server_tool_use') : {};
  const searches = readOptionalCount(tools.web_search_requests) ?? 0;
  return searches === 0 ? usage : { ...usage, units: { ...usage.units, web_search: searches } };
}

/** Estimates the prompt of a request, until the upstream has counted it. */
export const estimatePrompt = (body: Buffer): Pick<TokenCounts, 'promptTokens' | 'cachedTokens'> => ({
  promptTokens: estimateMessagesTokens(measureMessages(JSON.parse(body.toString('utf8')) as JsonObject)),
  cachedTokens: 0,
});
