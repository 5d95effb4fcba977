import { isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, stringifyUpstreamJson } from '../failures/malformed-response.js';
import { withTokenCounts } from '../openai-image-body/token-counts.js';
import type { ImageCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { imageUsage } from './usage.js';
import { arkReply } from './wire.js';

/** Sets the public model id, and adds the counts of OpenAI's form. Failed images stay in `data`, uncharged. */
export function readReply(body: Uint8Array, call: ImageCall<'ark-images'>): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && isJsonObject(value.error) && !Array.isArray(value.data)) throw errorInResponse(value);
  const parsed = arkReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const images = parsed.data.data.filter(({ url, b64_json }) => url != null || b64_json != null).length;
  const { usage, created = call.createdSeconds } = parsed.data;
  const counts = isJsonObject(usage) ? { usage: withTokenCounts(usage) } : {};
  return {
    body: Buffer.from(stringifyUpstreamJson({ ...parsed.data, created, ...counts, model: call.publicModel })),
    usage: imageUsage(usage, images),
    upstreamId: undefined,
  };
}
