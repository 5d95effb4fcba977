import type { UpstreamReply } from '../protocol.js';
import { usageOfTokens } from './embedding-usage.js';

const COMMA = Buffer.from(',');

/** Joins the entries of all batches into the client's list, with the sum of their usage. */
export function joinEmbeddings(batches: readonly UpstreamReply[], publicModel: string): UpstreamReply {
  const tokens = batches.reduce((sum, { usage }) => sum + usage.inputTokensTotal, 0);
  const isEstimated = batches.some(({ usage }) => usage.isEstimated);
  const tail = { model: publicModel, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  const body = Buffer.concat([
    Buffer.from('{"object":"list","data":['),
    ...batches.flatMap((batch, index) => (index === 0 ? [batch.body] : [COMMA, batch.body])),
    Buffer.from(`],${JSON.stringify(tail).slice(1)}`),
  ]);
  return { body, usage: usageOfTokens(tokens, isEstimated), upstreamId: batches[0]?.upstreamId };
}
