import { changesBetween, editSettings, type ImageEditModelTraits, type ImageEditRequest } from '@gateway/contracts';
import type { ImageEditCall, Target, WireRequest } from '../protocol.js';
import { encodeForm } from './form.js';
import { givesDataUrls } from './wire.js';

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Sends the client's form with the upstream model. */
export function buildRequest({ request, traits, requestId }: ImageEditCall, target: Target): WireRequest {
  const { files, ...rest } = request;
  const chosen = traits.billing.by === 'tokens' ? currentFields(rest, traits) : legacyFields(rest);
  const fields = Object.entries({ ...chosen, model: target.upstreamModel }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const images = files.filter(({ field }) => field === 'image').length;
  const form = encodeForm(`gateway-${requestId}`, fields, files, images > 1 ? 'image[]' : 'image');
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/images/edits`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': form.contentType,
      accept: request.stream === true ? 'text/event-stream' : 'application/json',
    },
    body: form.body,
    changes: changesBetween({ ...rest, model: undefined }, { ...sentOf(rest, chosen, traits), model: undefined }),
  };
}

/**
 * The fields by which the two forms differ from the client's. Base64 and a size of `auto` are what the vendor does anyway,
 * and the gateway itself makes the URLs of a model that stands in.
 */
function sentOf(given: ImageEditRequest, chosen: Fields, traits: ImageEditModelTraits): Fields {
  const { response_format: format, size } = given;
  const isImplied = {
    ...((format === 'b64_json' || givesDataUrls(given, traits)) && { response_format: format }),
    ...(size === 'auto' && { size: chosen.size ?? size }),
  };
  return { ...chosen, ...(format === undefined && { response_format: undefined }), ...isImplied };
}

/** Current models always return base64, and reject `response_format`. */
const currentFields = ({ response_format: _, ...rest }: ImageEditRequest, traits: ImageEditModelTraits): Fields => ({
  ...rest,
  ...editSettings(traits, rest),
});

/** The legacy model accepts only these fields, and no size `auto`. */
const legacyFields = ({ prompt, n, size, response_format, user }: ImageEditRequest): Fields => ({
  prompt,
  n,
  size: size === 'auto' ? undefined : size,
  response_format: response_format ?? 'b64_json',
  user,
});
