import { GatewayError, type InteractionRequest } from '@gateway/contracts';
import type { ClassifiedFailure, UpstreamReply } from '@gateway/upstreams';
import type { ModelAdapter } from '../../model-adapter.js';
import type { InteractionIds, InteractionLocation } from './interaction-ids.js';

/**
 * Gemini stores an interaction with the credential that created it, so the public id names the channel.
 * Throws a GatewayError (`not_found`) for an id that is forged, of another account, or of a removed channel.
 */
export function continueInteraction(
  accountId: string,
  request: InteractionRequest,
  ids: InteractionIds,
  bind: (request: InteractionRequest) => ModelAdapter,
): ModelAdapter {
  const { previous_interaction_id: previousId } = request;
  const publishId = (reply: UpstreamReply, channelId: string): UpstreamReply =>
    reply.upstreamId === undefined
      ? reply
      : replaceId(reply, reply.upstreamId, ids.seal({ channelId, upstreamId: reply.upstreamId }, accountId));
  if (previousId === undefined) return withFinishedReply(bind(request), publishId);
  const location = ids.open(previousId, accountId);
  if (location === undefined) throw unknownInteraction();
  const adapter = bind({ ...request, previous_interaction_id: location.upstreamId });
  return {
    ...withFinishedReply(adapter, (reply, channelId) =>
      replaceId(publishId(reply, channelId), location.upstreamId, previousId),
    ),
    requiredChannel: { channelId: location.channelId, whenGone: unknownInteraction },
    readFailure: (failure) => withPublicId(adapter.readFailure(failure), location, previousId),
  };
}

const withFinishedReply = (
  adapter: ModelAdapter,
  finishReply: (reply: UpstreamReply, channelId: string) => UpstreamReply,
): ModelAdapter => (adapter.kind === 'unary' ? { ...adapter, finishReply } : adapter);

const unknownInteraction = (): GatewayError =>
  new GatewayError('not_found', "'previous_interaction_id': there is no such interaction, or it is no longer stored.", {
    param: 'previous_interaction_id',
  });

/** Replaces the id where it is a complete JSON string. Parsing the body would be slow: it may be megabytes of image. */
function replaceId(reply: UpstreamReply, from: string, to: string): UpstreamReply {
  const body = Buffer.from(reply.body.buffer, reply.body.byteOffset, reply.body.byteLength);
  const quoted = Buffer.from(JSON.stringify(from));
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = body.indexOf(quoted); at !== -1; at = body.indexOf(quoted, start)) {
    parts.push(body.subarray(start, at), Buffer.from(JSON.stringify(to)));
    start = at + quoted.length;
  }
  return { ...reply, body: Buffer.concat([...parts, body.subarray(start)]) };
}

/** The upstream's error may quote its id anywhere in a sentence. */
function withPublicId(read: ClassifiedFailure, location: InteractionLocation, publicId: string): ClassifiedFailure {
  const { code, message, details } = read.error;
  const { passThrough } = details;
  if (passThrough === undefined) return read;
  const body = passThrough.body.replaceAll(location.upstreamId, publicId);
  return { ...read, error: new GatewayError(code, message, { ...details, passThrough: { ...passThrough, body } }) };
}
