import { isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { readCount } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';
import type { ImageCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { type ImageReply, imageReply } from './wire.js';

/** An image has one price, whatever its size and tokens. */
const KNOWN: KnownUsage = {
  counts: new Set(['image_count', 'width', 'height', 'input_tokens', 'output_tokens', 'total_tokens']),
};

const imagesIn = ({ output }: ImageReply): number =>
  output.choices.flatMap(({ message }) => message.content).filter(({ image }) => image !== undefined).length;

/** Passes the response through. One `image` unit per image: `usage.image_count`, or the number found, as an estimate. */
export function readReply(body: Uint8Array, _call: ImageCall<'dashscope-image'>): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && typeof value.code === 'string' && value.code !== '') throw errorInResponse(value);
  const parsed = imageReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const reply = parsed.data;
  const found = imagesIn(reply);
  if (found === 0) throw malformedResponse();
  const counted = isJsonObject(reply.usage) ? readCount(reply.usage.image_count) : undefined;
  return {
    body,
    usage: withUnpriced(
      { units: { image: counted ?? found }, inputTokensTotal: 0, isEstimated: counted === undefined },
      unpricedIn(reply.usage, KNOWN),
    ),
    upstreamId: reply.request_id,
  };
}
