import type { UpstreamReply } from '../protocol.js';
import { usageOfTokens } from './embedding-usage.js';

const COMMA = Buffer.from(',');

/** The client's list of the entries of all batches, in their order, with one usage for all of them. */
export function joinEmbeddings(batches: readonly UpstreamReply[], publicModel: string): UpstreamReply {
  const tokens = batches.reduce((sum, { usage }) => sum + usage.inputTokensTotal, 0);
  const isEstimated = batches.some(({ usage }) => usage.isEstimated);
  const tail = { model: publicModel, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  const body = Buffer.concat([
    Buffer.from('{"object":"list","data":['),
    ...batches.flatMap((batch, place) => (place === 0 ? [batch.body] : [COMMA, batch.body])),
    Buffer.from(`],${JSON.stringify(tail).slice(1)}`),
  ]);
  return { body, usage: usageOfTokens(tokens, isEstimated), upstreamId: batches[0]?.upstreamId };
}
