import type { ModelWithCapability } from '@gateway/catalogue';
import { GatewayError, type VideoCreation, videoInputOf } from '@gateway/contracts';
import { unsupportedValue } from '../unsupported.js';
import { parsePixelSize, pixelSizesOf } from './pixel-sizes.js';

type VideoModel = ModelWithCapability<'video'>;

const REFERENCE = 'input_reference';

/**
 * The same video as a body of POST /v1/videos/generations. `image`: the address or the data URL of the reference. The body's own
 * `input` overrides what is translated. Throws a 400 for an image or a size that the model does not take.
 */
export function toVideoGeneration(
  { prompt, seconds, size, input, parameters, webhook_url }: VideoCreation,
  image: string | undefined,
  model: VideoModel,
): Record<string, unknown> {
  if (input == null) checkImage(image, model);
  const { bodyFormat, mode } = model.video.traits;
  const translated = videoInputOf(bodyFormat, {
    prompt,
    firstFrame: mode === 'r2v' ? undefined : image,
    references: mode === 'r2v' && image !== undefined ? [image] : [],
  });
  return {
    model: model.id,
    ...(seconds != null && { duration: seconds }),
    ...(size != null && sizeFields(size, model)),
    input: { ...translated, ...input },
    ...(parameters != null && { parameters }),
    ...(webhook_url != null && { webhook_url }),
  };
}

function checkImage(image: string | undefined, { id, video }: VideoModel): void {
  const { mode } = video.traits;
  if (mode === 't2v' && image !== undefined) {
    throw new GatewayError('unsupported_parameter', `'${REFERENCE}': ${id} makes videos from a text alone.`, {
      param: REFERENCE,
    });
  }
  if ((mode === 'i2v' || mode === 'r2v') && image === undefined) {
    throw new GatewayError('invalid_request', `'${REFERENCE}': expected an image, because ${id} starts from one.`, {
      param: REFERENCE,
    });
  }
}

function sizeFields(size: string, { id, video: { traits } }: VideoModel) {
  const known = parsePixelSize(size, traits);
  if (known === undefined) throw unsupportedValue('size', id, size, `one of ${pixelSizesOf(traits).join(', ')}`);
  return { resolution: known.resolution, aspect_ratio: known.aspectRatio };
}

/** The client's names of the fields whose values the family's rules check. */
const CLIENT_NAMES: Readonly<Record<string, string>> = {
  duration: 'seconds',
  resolution: 'size',
  aspect_ratio: 'size',
};
const QUOTED_NAME = /'(duration|resolution|aspect_ratio)'/g;

/** The error of a translated video, in the words of the client's own body. */
export function inClientNames(error: GatewayError): GatewayError {
  const { code, message, details } = error;
  const param = details.param === undefined ? undefined : (CLIENT_NAMES[details.param] ?? details.param);
  const text = message.replace(QUOTED_NAME, (_quoted, name: string) => `'${CLIENT_NAMES[name] ?? name}'`);
  return new GatewayError(code, text, { ...details, ...(param !== undefined && { param }) });
}
