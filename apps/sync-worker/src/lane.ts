import { findModel } from '@gateway/catalogue';
import { type ChatCompletionRequest, GatewayError, type SyncTicket, type Vendor } from '@gateway/contracts';
import {
  CHAT_PROTOCOLS,
  type ChatReply,
  type ChatStreamReader,
  type ReadFailure,
  type Target,
  type UpstreamFailure,
  type WireRequest,
} from '@gateway/upstreams';

/** How one request is asked and its answer read: a protocol bound to a call. It does no I/O. */
export interface Lane {
  readonly vendor: Vendor;
  readonly publicModel: string;
  readonly upstreamModel: string;
  readonly streamsToClient: boolean;
  readonly streamsUpstream: boolean;
  buildRequest(target: Target): WireRequest;
  readReply(body: Uint8Array): ChatReply;
  openReader(): ChatStreamReader;
  readFailure(failure: UpstreamFailure): ReadFailure;
}

/** The lane of a ticket and its client's body, which the edge has validated. */
export function laneOf(ticket: SyncTicket, body: Buffer): Lane {
  const model = findModel(ticket.model);
  if (model === undefined) {
    // An edge that is newer than this worker: another worker may know the model, this request cannot wait for it.
    throw new GatewayError(
      'upstream_unavailable',
      `The model '${ticket.model}' is being rolled out, try again shortly.`,
      {
        retryAfterMs: 5_000,
      },
    );
  }
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
    buildRequest: (target) => protocol.buildRequest(call, target),
    readReply: (bytes) => protocol.readReply(bytes, call),
    openReader: () => protocol.openReader(call),
    readFailure: (failure) => protocol.readFailure(failure),
  };
}
