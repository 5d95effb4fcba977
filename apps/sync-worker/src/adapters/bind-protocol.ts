import type { CatalogueModel } from '@gateway/catalogue';
import { type SyncTicket, unixSeconds } from '@gateway/contracts';
import type { Protocol, StreamingProtocol } from '@gateway/upstreams';
import type { StreamAdapter, UnaryAdapter } from '../model-adapter.js';

export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

type BoundModel = Pick<CatalogueModel, 'vendor' | 'id' | 'servedBy' | 'upstreamModel'>;
type StreamProtocol<Call> = Pick<StreamingProtocol<Call>, 'buildRequest' | 'readFailure' | 'openReader'>;

/** The ticket's fields that every protocol needs. */
export const callIdentity = ({ requestId, admittedAtMs }: SyncTicket) => ({
  requestId,
  createdSeconds: unixSeconds(admittedAtMs),
});

export const bindUnary = <Call>(model: BoundModel, protocol: Protocol<Call>, call: Call): UnaryAdapter => ({
  kind: 'unary',
  ...identityOf(model),
  buildRequest: (target) => protocol.buildRequest(call, target),
  readReply: (body) => protocol.readReply(body, call),
  readFailure: (failure) => protocol.readFailure(failure),
});

export const bindStream = <Call>(
  model: BoundModel,
  protocol: StreamProtocol<Call>,
  call: Call,
  { isCollected = false, contentType = EVENT_STREAM } = {},
): StreamAdapter => ({
  kind: 'stream',
  ...identityOf(model),
  isCollected,
  contentType,
  buildRequest: (target) => protocol.buildRequest(call, target),
  openReader: () => protocol.openReader(call),
  readFailure: (failure) => protocol.readFailure(failure),
});

/** Streams if the client or the protocol requires a stream. */
export function bindStreaming<Call>(
  model: BoundModel,
  protocol: StreamingProtocol<Call>,
  call: Call,
  isClientStreaming: boolean,
  contentType = EVENT_STREAM,
): UnaryAdapter | StreamAdapter {
  if (isClientStreaming) return bindStream(model, protocol, call, { contentType });
  if (protocol.streamsUpstream(call)) return bindStream(model, protocol, call, { isCollected: true });
  return bindUnary(model, protocol, call);
}

interface ReasoningCall {
  readonly dropsReasoning?: true;
}

/** The same for a call whose reasoning may be encrypted for one account at the vendor. */
export function bindReasoning<Call extends ReasoningCall>(
  model: BoundModel,
  protocol: StreamingProtocol<Call>,
  call: Call,
  isClientStreaming: boolean,
): UnaryAdapter | StreamAdapter {
  const withoutReasoning = () => bindStreaming(model, protocol, { ...call, dropsReasoning: true }, isClientStreaming);
  return { ...bindStreaming(model, protocol, call, isClientStreaming), withoutReasoning };
}

const identityOf = ({ vendor, id, servedBy, upstreamModel }: BoundModel) => ({
  vendor,
  publicModel: id,
  ...(servedBy !== undefined && { servedBy }),
  upstreamModel,
});
