import { having } from '@gateway/catalogue';
import type { ChatCompletionRequest } from '@gateway/contracts';
import { CHAT_PROTOCOLS } from '@gateway/upstreams';
import type { Lane, OpenWork } from '../lane.js';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const JSON_BODY = 'application/json; charset=utf-8';

/** POST /v1/chat/completions over whichever protocol the model is spoken to in. */
export const openChatLane: OpenWork = (ticket, catalogueModel, body): Lane => {
  const model = having(catalogueModel, 'chat');
  const request = JSON.parse(body.toString('utf8')) as ChatCompletionRequest;
  const protocol = CHAT_PROTOCOLS[model.chat.protocol];
  const call = {
    request,
    publicModel: model.id,
    traits: model.chat.traits,
    requestId: ticket.requestId,
    createdSeconds: Math.floor(ticket.admittedAtMs / 1_000),
  };
  const streamsToClient = request.stream === true;
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
