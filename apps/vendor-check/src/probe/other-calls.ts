import { type CatalogueModel, withCapability } from '@gateway/catalogue';
import type { ImageProtocolId, ImageRequest, UnitCounts } from '@gateway/contracts';
import { EMBEDDING_PROTOCOLS, IMAGE_PROTOCOLS, SPEECH_PROTOCOLS } from '@gateway/upstreams';
import { PROMPT, type ProbeCall, REQUEST_ID } from './probe-call.js';

/** One vector of a short text. */
export function embeddingCall(catalogueModel: CatalogueModel, createdSeconds: number): ProbeCall {
  const model = withCapability(catalogueModel, 'embeddings');
  const { protocol: id, traits } = model.embeddings;
  const protocol = EMBEDDING_PROTOCOLS[id];
  const batch = {
    texts: [PROMPT],
    firstIndex: 0,
    dimensions: traits.defaultDimensions,
    encoding: 'float',
    vendorFields: {},
  } as const;
  const call = { request: batch, publicModel: model.id, traits, requestId: REQUEST_ID, createdSeconds };
  return {
    name: 'embedding',
    model,
    atMost: { input_token: PROMPT.length },
    build: (target) => protocol.buildRequest(call, target),
    read: (body) => protocol.readReply(body, call).usage,
    readFailure: (failure) => protocol.readFailure(failure),
  };
}

/** Two letters, spoken. */
export function speechCall(catalogueModel: CatalogueModel, createdSeconds: number): ProbeCall {
  const model = withCapability(catalogueModel, 'speech');
  const { protocol: id, traits } = model.speech;
  const protocol = SPEECH_PROTOCOLS[id];
  const request = { text: 'OK', voice: traits.defaultVoice };
  const call = { request, publicModel: model.id, traits, requestId: REQUEST_ID, createdSeconds };
  return {
    name: 'speech',
    model,
    atMost: { character: request.text.length },
    build: (target) => protocol.buildRequest(call, target),
    read(bytes) {
      const reader = protocol.openReader(call);
      reader.read(bytes);
      reader.end();
      return reader.usage();
    },
    readFailure: (failure) => protocol.readFailure(failure),
  };
}

/** One image in the vendor's smallest size. */
export function imageCall<Id extends ImageProtocolId>(
  catalogueModel: CatalogueModel,
  id: Id,
  request: ImageRequest<Id>,
  atMost: UnitCounts,
  createdSeconds: number,
): ProbeCall {
  const model = withCapability(catalogueModel, 'imageGeneration');
  if (model.imageGeneration.protocol !== id) throw new Error(`${model.id} does not speak ${id}`);
  const protocol = IMAGE_PROTOCOLS[id];
  const { traits } = model.imageGeneration as unknown as { traits: Parameters<typeof protocol.readReply>[1]['traits'] };
  const call = { request, publicModel: model.id, traits, requestId: REQUEST_ID, createdSeconds };
  return {
    name: 'image',
    model,
    atMost,
    build: (target) => protocol.buildRequest(call, target),
    read: (body) => protocol.readReply(body, call).usage,
    readFailure: (failure) => protocol.readFailure(failure),
  };
}
