import { GatewayError, type InteractionRequest } from '@gateway/contracts';
import type { ReadFailure, UpstreamReply } from '@gateway/upstreams';
import type { InteractionIds, InteractionPlace } from '../interaction-ids.js';
import type { Lane } from '../lane.js';

/**
 * Interactions keep their history at the credential that made them. The ids that clients see lead back there; one that
 * leads nowhere is a 404, whether it is forged, of another account or of a channel that is gone.
 */
export function continueInteraction(
  accountId: string,
  request: InteractionRequest,
  ids: InteractionIds,
  bind: (request: InteractionRequest) => Lane,
): Lane {
  const { previous_interaction_id: previousId } = request;
  const seal = (reply: UpstreamReply, channelId: string): UpstreamReply =>
    reply.upstreamId === undefined
      ? reply
      : withId(reply, reply.upstreamId, ids.seal({ channelId, upstreamId: reply.upstreamId }, accountId));
  if (previousId === undefined) return { ...bind(request), fromChannel: seal };
  const place = ids.open(previousId, accountId);
  if (place === undefined) throw unknownInteraction();
  const lane = bind({ ...request, previous_interaction_id: place.upstreamId });
  return {
    ...lane,
    wanted: { channelId: place.channelId, whenGone: unknownInteraction },
    fromChannel: (reply, channelId) => withId(seal(reply, channelId), place.upstreamId, previousId),
    readFailure: (failure) => inClientsWords(lane.readFailure(failure), place, previousId),
  };
}

const unknownInteraction = (): GatewayError =>
  new GatewayError('not_found', "'previous_interaction_id': there is no such interaction, or it is no longer kept.", {
    param: 'previous_interaction_id',
  });

/** An answer may be megabytes of picture: only the places where the id stands as a JSON text of its own are changed. */
function withId(reply: UpstreamReply, from: string, to: string): UpstreamReply {
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

/** A refusal may quote the upstream's id in the middle of a sentence. */
function inClientsWords(read: ReadFailure, place: InteractionPlace, publicId: string): ReadFailure {
  const { code, message, details } = read.error;
  const { passThrough } = details;
  if (passThrough === undefined) return read;
  const body = passThrough.body.replaceAll(place.upstreamId, publicId);
  return { ...read, error: new GatewayError(code, message, { ...details, passThrough: { ...passThrough, body } }) };
}
