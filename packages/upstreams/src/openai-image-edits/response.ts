import { editUnits, estimateTokens, textSize } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { errorInResponse } from '../failures/openai-image-failure.js';
import { readImageUsage } from '../metering/image-usage.js';
import type { ImageEditCall, UpstreamReply } from '../protocol.js';
import { editReply, givesDataUrls } from './wire.js';

/** Passes the response through. Charges tokens, or images for the legacy model. */
export function readReply(body: Uint8Array, { request, traits }: ImageEditCall): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && isJsonObject(value.error)) throw errorInResponse(value);
  const parsed = editReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const { data, size, quality, usage } = parsed.data;
  const images = data.filter(({ b64_json, url }) => b64_json != null || url != null).length;
  if (images === 0) throw malformedResponse();
  const isBilledByImage = traits.billing.by === 'images';
  const known = isBilledByImage ? undefined : readImageUsage(usage);
  const format = parsed.data.output_format ?? request.output_format ?? 'png';
  const reply = givesDataUrls(request, traits) ? withDataUrls(value, format) : body;
  if (known !== undefined) return { body: reply, usage: known, upstreamId: undefined };
  const promptTokens = estimateTokens(textSize(request.prompt));
  const references = request.files.filter(({ field }) => field === 'image').length;
  const described = { size: size ?? request.size, quality: quality ?? request.quality };
  return {
    body: reply,
    usage: {
      units: editUnits(traits, described, { images, references, promptTokens }),
      inputTokensTotal: isBilledByImage ? 0 : promptTokens,
      isEstimated: !isBilledByImage,
    },
    upstreamId: undefined,
  };
}

/** The retired model returned URLs. Its successor returns the image itself, so the URL holds it. */
function withDataUrls(value: unknown, format: string): Buffer {
  const { data, ...rest } = value as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  const images = data.map(({ b64_json: image, ...entry }) =>
    typeof image === 'string' ? { ...entry, url: `data:image/${format};base64,${image}` } : { ...entry },
  );
  return Buffer.from(JSON.stringify({ ...rest, data: images }));
}
