import { isJsonObject, NO_USAGE } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, stringifyUpstreamJson } from '../failures/malformed-response.js';
import type { ImageCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { readInteractionUsage } from './usage.js';
import { type InteractionReply, interactionReply } from './wire.js';

const imagesIn = ({ steps }: InteractionReply): number =>
  (steps ?? []).flatMap(({ content }) => content ?? []).filter(({ type }) => type === 'image').length;

/** Sets the public model id. A failed interaction is a valid response, and free. */
export function readReply(body: Uint8Array, call: ImageCall<'gemini-interactions'>): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && isJsonObject(value.error) && value.status === undefined) throw errorInResponse(value);
  const parsed = interactionReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const reply = parsed.data;
  const hasFailed = reply.status === 'failed';
  const response = { ...reply, steps: hasFailed ? [] : (reply.steps ?? []), model: call.publicModel };
  return {
    body: Buffer.from(stringifyUpstreamJson(response)),
    usage: hasFailed ? NO_USAGE : readInteractionUsage(reply.usage, imagesIn(reply), call),
    upstreamId: reply.id,
  };
}
