import { type CatalogueModel, type ImageCapability, withCapability } from '@gateway/catalogue';
import type { ImageProtocolId, ImageRequest, InteractionRequest, SyncTicket } from '@gateway/contracts';
import { IMAGE_PROTOCOLS, type ImageProtocol } from '@gateway/upstreams';
import type { ModelAdapter } from '../../model-adapter.js';
import { bindStream, bindUnary, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { continueInteraction } from './interaction-adapter.js';

/** Ten of the largest images as base64. */
export const IMAGE_RESPONSE_LIMIT_BYTES = 256 * 1024 * 1024;

/** POST /v1/images/generations, in the protocol of the model's family. */
export const adaptImage: Planner = (ticket, catalogueModel, body, interactionIds) => {
  const model = withCapability(catalogueModel, 'imageGeneration');
  const capability = model.imageGeneration;
  const request: unknown = JSON.parse(body.toString('utf8'));
  if (capability.protocol !== 'gemini-interactions')
    return bindImage(ticket, model, capability, request as ImageRequest<typeof capability.protocol>);
  return continueInteraction(ticket.accountId, request as InteractionRequest, interactionIds, (continued) =>
    bindImage(ticket, model, capability, continued),
  );
};

function bindImage<Id extends ImageProtocolId>(
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
