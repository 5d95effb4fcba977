import type { CatalogueModel, ImageCapability } from '@gateway/catalogue';
import type { ImageProtocolId, ImageRequest, SyncTicket } from '@gateway/contracts';
import { IMAGE_PROTOCOLS, type ImageProtocol } from '@gateway/upstreams';
import type { ModelAdapter } from '../../model-adapter.js';
import { bindStream, bindUnary, callIdentity } from '../bind-protocol.js';

/** Ten of the largest images as base64. */
export const IMAGE_RESPONSE_LIMIT_BYTES = 256 * 1024 * 1024;

/** One call of a family's images endpoint, with the family's own body. */
export function bindImage<Id extends ImageProtocolId>(
  ticket: SyncTicket,
  model: CatalogueModel,
  { protocol: id, traits }: ImageCapability<Id>,
  request: ImageRequest<Id>,
): ModelAdapter {
  const protocol = IMAGE_PROTOCOLS[id];
  const call = { request, publicModel: model.id, traits, ...callIdentity(ticket) };
  if (request.stream === true && canStream(protocol)) return bindStream(model, protocol, call);
  return { ...bindUnary(model, protocol, call), responseLimitBytes: IMAGE_RESPONSE_LIMIT_BYTES };
}

const canStream = <Id extends ImageProtocolId>(
  protocol: ImageProtocol<Id>,
): protocol is ImageProtocol<Id> & Required<Pick<ImageProtocol<Id>, 'openReader'>> => protocol.openReader !== undefined;
