import { withCapability } from '@gateway/catalogue';
import type { EmbeddingsRequest } from '@gateway/contracts';
import { EMBEDDING_PROTOCOLS, type EmbeddingsCall, joinEmbeddings } from '@gateway/upstreams';
import type { UnaryAdapter } from '../../model-adapter.js';
import { bindUnary, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { splitTexts } from './split-texts.js';

/** POST /v1/embeddings: a list of any length, in as many upstream calls as the upstream's limits require. */
export const planEmbeddings: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'embeddings');
  const request = JSON.parse(body.toString('utf8')) as EmbeddingsRequest;
  const { input, dimensions, encoding_format, ...vendorFields } = request;
  const { protocol, traits } = model.embeddings;

  const adaptBatch = (texts: readonly string[], firstIndex: number): UnaryAdapter => {
    const call: EmbeddingsCall = {
      request: {
        texts,
        firstIndex,
        dimensions: dimensions ?? traits.defaultDimensions,
        encoding: encoding_format ?? 'float',
        vendorFields,
      },
      publicModel: model.id,
      traits,
      ...callIdentity(ticket),
    };
    return bindUnary(model, EMBEDDING_PROTOCOLS[protocol], call);
  };

  let firstIndex = 0;
  const adapters = splitTexts(typeof input === 'string' ? [input] : input, traits.batch).map((texts) => {
    const adapter = adaptBatch(texts, firstIndex);
    firstIndex += texts.length;
    return adapter;
  });
  return { kind: 'parallel', adapters, merge: (replies) => joinEmbeddings(replies, model.id) };
};
