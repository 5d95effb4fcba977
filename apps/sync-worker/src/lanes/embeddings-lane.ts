import { withCapability } from '@gateway/catalogue';
import type { EmbeddingsRequest } from '@gateway/contracts';
import { EMBEDDING_PROTOCOLS, type EmbeddingsCall, joinEmbeddings } from '@gateway/upstreams';
import type { FanOut, Lane, OpenWork } from '../lane.js';
import { splitTexts } from './split-texts.js';

/** POST /v1/embeddings: a list of any length, in as many upstream calls as the upstream's limits need. */
export const openEmbeddingsLanes: OpenWork = (ticket, catalogueModel, body): FanOut => {
  const model = withCapability(catalogueModel, 'embeddings');
  const { input, dimensions, encoding_format, ...vendorFields } = JSON.parse(
    body.toString('utf8'),
  ) as EmbeddingsRequest;
  const { protocol: protocolId, traits } = model.embeddings;
  const protocol = EMBEDDING_PROTOCOLS[protocolId];

  const laneOf = (texts: readonly string[], firstIndex: number): Lane => {
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
      requestId: ticket.requestId,
      createdSeconds: Math.floor(ticket.admittedAtMs / 1_000),
    };
    return {
      vendor: model.vendor,
      publicModel: model.id,
      upstreamModel: model.upstreamModel,
      streamsToClient: false,
      streamsUpstream: false,
      contentType: 'application/json; charset=utf-8',
      buildRequest: (target) => protocol.buildRequest(call, target),
      readReply: (bytes) => protocol.readReply(bytes, call),
      openReader: () => {
        throw new Error('embeddings are not streamed');
      },
      readFailure: (failure) => protocol.readFailure(failure),
    };
  };

  let firstIndex = 0;
  const lanes = splitTexts(typeof input === 'string' ? [input] : input, traits.batch).map((texts) => {
    const lane = laneOf(texts, firstIndex);
    firstIndex += texts.length;
    return lane;
  });
  return { lanes, merge: (replies) => joinEmbeddings(replies, model.id) };
};
