import { changesBetween, editSettings, type ImageEditModelTraits, type ImageEditRequest } from '@gateway/contracts';
import type { ImageEditCall, Target, WireRequest } from '../protocol.js';
import { encodeForm } from './form.js';

type Fields = Readonly<Record<string, string | number | undefined>>;

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
      accept: 'application/json',
    },
    body: form.body,
    ...(traits.standsIn !== undefined && { changes: changesOf(rest, traits) }),
  };
}

/** Current models always return base64, and reject `response_format`. */
const currentFields = ({ response_format: _, ...rest }: ImageEditRequest, traits: ImageEditModelTraits): Fields => ({
  ...rest,
  ...editSettings(traits, rest),
});

const changesOf = ({ size, quality }: ImageEditRequest, traits: ImageEditModelTraits) =>
  changesBetween({ size, quality }, { ...editSettings(traits, { size, quality }) });

/** The legacy model accepts only these fields, and no size `auto`. */
const legacyFields = ({ prompt, n, size, response_format, user }: ImageEditRequest): Fields => ({
  prompt,
  n,
  size: size === 'auto' ? undefined : size,
  response_format: response_format ?? 'b64_json',
  user,
});
