import { type ImageCapability, withCapability } from '@gateway/catalogue';
import type { ImageProtocolId, ImageRequest, InteractionRequest, SyncTicket } from '@gateway/contracts';
import { IMAGE_PROTOCOLS } from '@gateway/upstreams';
import type { Lane, OpenWork } from '../lane.js';
import { continueInteraction } from './interaction-lane.js';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const JSON_BODY = 'application/json; charset=utf-8';
/** Ten of the largest pictures as base64. */
const ANSWER_LIMIT_BYTES = 256 * 1024 * 1024;

type LaneOfModel = Pick<Lane, 'vendor' | 'publicModel' | 'upstreamModel'>;

/** POST /v1/images/generations over whichever protocol the model's family is spoken to in. */
export const openImageLane: OpenWork = (ticket, catalogueModel, body, means): Lane => {
  const model = withCapability(catalogueModel, 'imageGeneration');
  const side = model.imageGeneration;
  const ofModel = { vendor: model.vendor, publicModel: model.id, upstreamModel: model.upstreamModel };
  const request: unknown = JSON.parse(body.toString('utf8'));
  if (side.protocol !== 'gemini-interactions')
    return bind(ticket, side, ofModel, request as ImageRequest<typeof side.protocol>);
  return continueInteraction(ticket.accountId, request as InteractionRequest, means.interactionIds, (continued) =>
    bind(ticket, side, ofModel, continued),
  );
};

/** One protocol bound to a call. */
function bind<Id extends ImageProtocolId>(
  ticket: SyncTicket,
  side: ImageCapability<Id>,
  ofModel: LaneOfModel,
  request: ImageRequest<Id>,
): Lane {
  const protocol = IMAGE_PROTOCOLS[side.protocol];
  const call = {
    request,
    publicModel: ofModel.publicModel,
    traits: side.traits,
    requestId: ticket.requestId,
    createdSeconds: Math.floor(ticket.admittedAtMs / 1_000),
  };
  const streams = request.stream === true && protocol.openReader !== undefined;
  return {
    ...ofModel,
    streamsToClient: streams,
    streamsUpstream: streams,
    contentType: streams ? EVENT_STREAM : JSON_BODY,
    answerLimitBytes: ANSWER_LIMIT_BYTES,
    buildRequest: (target) => protocol.buildRequest(call, target),
    readReply: (bytes) => protocol.readReply(bytes, call),
    openReader: () => {
      if (protocol.openReader === undefined) throw new Error(`${protocol.id} does not stream`);
      return protocol.openReader(call);
    },
    readFailure: (failure) => protocol.readFailure(failure),
  };
}
