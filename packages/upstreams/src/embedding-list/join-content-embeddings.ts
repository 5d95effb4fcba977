import type { UpstreamReply } from '../protocol.js';
import { joinEmbeddings } from './join-embeddings.js';

/** An entry as `encodeEntries` writes it. */
const ENTRY = /\{"object":"embedding","index":\d+,"embedding":(\[[^\]]*\])\}/g;

/** Joins the vectors of all batches into the response of Google's `embedContent` or `batchEmbedContents`. */
export function joinContentEmbeddings(
  batches: readonly UpstreamReply[],
  { publicModel, isBatch }: { readonly publicModel: string; readonly isBatch: boolean },
): UpstreamReply {
  const { usage, upstreamId } = joinEmbeddings(batches, publicModel);
  const entries = batches.map(({ body }) => Buffer.from(body).toString('latin1').replace(ENTRY, '{"values":$1}'));
  const vectors = entries.join(',');
  const member = isBatch ? `"embeddings":[${vectors}]` : `"embedding":${vectors}`;
  const metadata = JSON.stringify({
    promptTokenCount: usage.inputTokensTotal,
    totalTokenCount: usage.inputTokensTotal,
  });
  return { body: Buffer.from(`{${member},"usageMetadata":${metadata}}`), usage, upstreamId };
}
