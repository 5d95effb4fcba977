import { type ModelWithCapability, withCapability } from '@gateway/catalogue';
import type { MessagesRequest, SyncTicket } from '@gateway/contracts';
import {
  CHAT_PROTOCOLS,
  JsonMembers,
  messagesOverChat,
  NATIVE_MESSAGES,
  type NativeMessagesCall,
  type NativeMessagesProtocol,
} from '@gateway/upstreams';
import type { Lane, OpenWork } from '../lane.js';

const EVENT_STREAM = 'text/event-stream; charset=utf-8';
const JSON_BODY = 'application/json; charset=utf-8';
const NOTHING_FORWARDED = { headers: {}, query: '' } as const;

/** POST /v1/messages: the client's bytes to an upstream of the same format, else the request in the upstream's own. */
export const openMessagesLane: OpenWork = (ticket, catalogueModel, body): Lane => {
  const model = withCapability(catalogueModel, 'chat');
  const native = NATIVE_MESSAGES[model.chat.protocol];
  if (native === undefined) return translatedLane(ticket, model, JSON.parse(body.toString('utf8')) as MessagesRequest);
  const streams = JsonMembers.of<MessagesRequest>(body).read('stream') === true;
  return nativeLane(native, model, nativeCall(ticket, model, body, streams));
};

/** The request as an upstream of its own format is asked; an edge of an older release forwards nothing. */
export const nativeCall = (
  ticket: SyncTicket,
  model: ModelWithCapability<'chat'>,
  body: Buffer,
  streams: boolean,
): NativeMessagesCall => ({ body, streams, publicModel: model.id, forward: ticket.forward ?? NOTHING_FORWARDED });

function nativeLane(
  { create }: NativeMessagesProtocol,
  model: ModelWithCapability<'chat'>,
  call: NativeMessagesCall,
): Lane {
  return {
    ...headOf(model, call.streams),
    streamsUpstream: create.streamsUpstream(call),
    buildRequest: (target) => create.buildRequest(call, target),
    readReply: (bytes) => create.readReply(bytes, call),
    openReader: () => create.openReader(call),
    readFailure: (failure) => create.readFailure(failure),
  };
}

function translatedLane(ticket: SyncTicket, model: ModelWithCapability<'chat'>, request: MessagesRequest): Lane {
  const protocol = messagesOverChat(CHAT_PROTOCOLS[model.chat.protocol]);
  const call = {
    request,
    publicModel: model.id,
    traits: model.chat.traits,
    requestId: ticket.requestId,
    createdSeconds: Math.floor(ticket.admittedAtMs / 1_000),
  };
  const streamsToClient = request.stream === true;
  return {
    ...headOf(model, streamsToClient),
    streamsUpstream: streamsToClient || protocol.streamsUpstream(call),
    buildRequest: (target) => protocol.buildRequest(call, target),
    readReply: (bytes) => protocol.readReply(bytes, call),
    openReader: () => protocol.openReader(call),
    readFailure: (failure) => protocol.readFailure(failure),
  };
}

const headOf = ({ vendor, id, upstreamModel }: ModelWithCapability<'chat'>, streamsToClient: boolean) => ({
  vendor,
  publicModel: id,
  upstreamModel,
  streamsToClient,
  contentType: streamsToClient ? EVENT_STREAM : JSON_BODY,
});
