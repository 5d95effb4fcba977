import { isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { readImageUsage } from '../metering/image-usage.js';
import type { ImageCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { estimateImageUsage } from './usage.js';
import { imagesReply } from './wire.js';

/** Passes the response through. */
export function readReply(body: Uint8Array, call: ImageCall<'openai-images'>): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && isJsonObject(value.error)) throw errorInResponse(value);
  const parsed = imagesReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const images = parsed.data.data.filter(({ b64_json, url }) => b64_json != null || url != null).length;
  if (images === 0) throw malformedResponse();
  return {
    body,
    usage: readImageUsage(parsed.data.usage) ?? estimateImageUsage(call, images, parsed.data),
    upstreamId: undefined,
  };
}
