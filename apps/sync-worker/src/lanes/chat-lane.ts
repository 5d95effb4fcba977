import { withCapability } from '@gateway/catalogue';
import { CHAT_PROTOCOLS, parseChatCall } from '@gateway/upstreams';
import type { Lane, OpenWork } from '../lane.js';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const JSON_BODY = 'application/json; charset=utf-8';

/** POST /v1/chat/completions over whichever protocol the model is spoken to in. */
export const openChatLane: OpenWork = (ticket, catalogueModel, body): Lane => {
  const model = withCapability(catalogueModel, 'chat');
  const protocol = CHAT_PROTOCOLS[model.chat.protocol];
  const call = parseChatCall(body, {
    publicModel: model.id,
    traits: model.chat.traits,
    requestId: ticket.requestId,
    createdSeconds: Math.floor(ticket.admittedAtMs / 1_000),
  });
  const streamsToClient = call.members.read('stream') === true;
  return {
    vendor: model.vendor,
    publicModel: model.id,
    upstreamModel: model.upstreamModel,
    streamsToClient,
    streamsUpstream: streamsToClient || protocol.streamsUpstream(call),
    contentType: streamsToClient ? EVENT_STREAM : JSON_BODY,
    buildRequest: (target) => protocol.buildRequest(call, target),
    readReply: (bytes) => protocol.readReply(bytes, call),
    openReader: () => protocol.openReader(call),
    readFailure: (failure) => protocol.readFailure(failure),
  };
};
