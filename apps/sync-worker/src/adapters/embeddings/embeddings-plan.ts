import { type ModelWithCapability, withCapability } from '@gateway/catalogue';
import type { EmbeddingsRequest, SyncTicket } from '@gateway/contracts';
import { EMBEDDING_PROTOCOLS, type EmbeddingBatch, joinEmbeddings } from '@gateway/upstreams';
import type { UnaryAdapter } from '../../model-adapter.js';
import { bindUnary, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { splitTexts } from './split-texts.js';

/** POST /v1/embeddings: a list of any length, in as many upstream calls as the upstream's limits require. */
export const planEmbeddings: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'embeddings');
  const request = JSON.parse(body.toString('utf8')) as EmbeddingsRequest;
  const { input, dimensions, encoding_format, ...vendorFields } = request;
  const adapters = batchAdapters(ticket, model, {
    texts: typeof input === 'string' ? [input] : input,
    dimensions: dimensions ?? model.embeddings.traits.defaultDimensions,
    encoding: encoding_format ?? 'float',
    vendorFields,
  });
  return { kind: 'parallel', adapters, merge: (replies) => joinEmbeddings(replies, model.id) };
};

/** One adapter for each upstream call that the texts need, in order. */
export function batchAdapters(
  ticket: SyncTicket,
  model: ModelWithCapability<'embeddings'>,
  { texts, ...settings }: Omit<EmbeddingBatch, 'firstIndex'>,
): readonly UnaryAdapter[] {
  const { protocol, traits } = model.embeddings;
  let firstIndex = 0;
  return splitTexts(texts, traits.batch).map((batch) => {
    const request = { ...settings, texts: batch, firstIndex };
    firstIndex += batch.length;
    const call = { request, publicModel: model.id, traits, ...callIdentity(ticket) };
    return bindUnary(model, EMBEDDING_PROTOCOLS[protocol], call);
  });
}
