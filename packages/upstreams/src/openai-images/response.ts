import { isJsonObject } from '../failures/error-body.js';
import { malformedAnswer, parseUpstreamJson } from '../failures/malformed-answer.js';
import { readImageUsage } from '../metering/image-usage.js';
import type { ImageCall, UpstreamReply } from '../protocol.js';
import { errorInAnswer } from './errors.js';
import { estimateImageUsage } from './usage.js';
import { imagesReply } from './wire.js';

/** The upstream's answer as it came. */
export function readReply(body: Uint8Array, call: ImageCall<'openai-images'>): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && isJsonObject(value.error)) throw errorInAnswer(value);
  const parsed = imagesReply.safeParse(value);
  if (!parsed.success) throw malformedAnswer();
  const images = parsed.data.data.filter(({ b64_json, url }) => b64_json != null || url != null).length;
  if (images === 0) throw malformedAnswer();
  return {
    body,
    usage: readImageUsage(parsed.data.usage) ?? estimateImageUsage(call, images, parsed.data),
    upstreamId: undefined,
  };
}
