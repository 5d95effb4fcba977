import { isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { errorInResponse } from '../failures/openai-image-failure.js';
import { readImageUsage } from '../metering/image-usage.js';
import type { ImageEditCall, UpstreamReply } from '../protocol.js';
import { estimateEditUsage } from './usage.js';
import { editReply, givesDataUrls } from './wire.js';

/** Passes the response through. Charges tokens, or images for the legacy model. */
export function readReply(body: Uint8Array, call: ImageEditCall): UpstreamReply {
  const { request, traits } = call;
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && isJsonObject(value.error)) throw errorInResponse(value);
  const parsed = editReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const { data } = parsed.data;
  const images = data.filter(({ b64_json, url }) => b64_json != null || url != null).length;
  if (images === 0) throw malformedResponse();
  const known = traits.billing.by === 'images' ? undefined : readImageUsage(parsed.data.usage);
  const format = parsed.data.output_format ?? request.output_format ?? 'png';
  const reply = givesDataUrls(request, traits) ? withDataUrls(value, format) : body;
  const usage = known ?? estimateEditUsage(call, images, parsed.data);
  return { body: reply, usage, upstreamId: undefined };
}

/** The retired model returned URLs. Its successor returns the image itself, so the URL holds it. */
function withDataUrls(value: unknown, format: string): Buffer {
  const { data, ...rest } = value as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  const images = data.map(({ b64_json: image, ...entry }) =>
    typeof image === 'string' ? { ...entry, url: `data:image/${format};base64,${image}` } : { ...entry },
  );
  return Buffer.from(JSON.stringify({ ...rest, data: images }));
}
