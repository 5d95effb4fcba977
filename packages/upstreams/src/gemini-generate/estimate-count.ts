import { measureContents, NO_USAGE } from '@gateway/contracts';
import { estimateContentTokens } from '../metering/estimate-input-tokens.js';
import type { UpstreamReply } from '../protocol.js';

/** Response of `countTokens` for upstreams without a counter: an estimate. */
export function estimateContentCount(body: Buffer): UpstreamReply {
  const totalTokens = estimateContentTokens(measureContents(JSON.parse(body.toString('utf8'))));
  return { body: Buffer.from(JSON.stringify({ totalTokens })), usage: NO_USAGE, upstreamId: undefined };
}
