import { type EditFile, GatewayError, type ImageEditModelTraits } from '@gateway/contracts';
import type { FormFile } from './form-file.js';

const IMAGE_FIELDS = ['image', 'image[]'];
const MASK_BYTES = 4 * 1024 * 1024;

const invalid = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${expected}`, { param });

const invalidMask = (expected: string): GatewayError =>
  new GatewayError('invalid_mask', `'mask': ${expected}`, { param: 'mask' });

/** The files of an edit by what they are. Their order stays: it is the one in which their bytes follow. */
export function checkEditFiles(
  files: readonly FormFile[],
  modelId: string,
  traits: ImageEditModelTraits,
): readonly EditFile[] {
  const stranger = files.find(({ field }) => field !== 'mask' && !IMAGE_FIELDS.includes(field));
  if (stranger !== undefined) throw invalid(stranger.field, "expected files in 'image', 'image[]' and 'mask' only.");
  const masks = files.filter(({ field }) => field === 'mask');
  const images = files.filter(({ field }) => field !== 'mask');
  const { most } = traits.images;
  if (images.length === 0) throw invalid('image', 'expected a file: it is required.');
  if (images.length > most) throw invalid('image', `${modelId} takes at most ${most}, got ${images.length}.`);
  if (masks.length > 1) throw invalid('mask', 'expected at most one file.');
  for (const image of images) checkImage(image, modelId, traits);
  for (const mask of masks) checkMask(mask, images[0], modelId, traits);
  return files.map(describe);
}

function describe({ field, bytes, image: picture }: FormFile): EditFile {
  if (picture === undefined) throw new Error('a picture that was not checked');
  const { format, width, height } = picture;
  return { field: field === 'mask' ? 'mask' : 'image', format, width, height, bytes };
}

function checkImage({ field, bytes, image: picture }: FormFile, modelId: string, traits: ImageEditModelTraits): void {
  if (picture === undefined) throw invalid(field, 'unsupported image format: expected PNG, JPEG or WebP.');
  if (bytes >= traits.images.bytes) {
    throw invalid(field, `${modelId} takes images smaller than ${traits.images.bytes / 1024 / 1024} MB.`);
  }
  if (traits.billing.by === 'tokens') return;
  if (picture.format !== 'png') throw invalid(field, `unsupported image format: ${modelId} takes PNG only.`);
  if (picture.width !== picture.height) throw invalid(field, `${modelId} takes square images only.`);
}

function checkMask(mask: FormFile, image: FormFile | undefined, modelId: string, traits: ImageEditModelTraits): void {
  if (!traits.supportsMask) throw invalid('mask', `${modelId} does not take a mask.`);
  const { image: picture, bytes } = mask;
  if (picture?.format !== 'png') throw invalidMask('expected a PNG.');
  if (bytes >= MASK_BYTES) throw invalidMask('expected a PNG smaller than 4 MB.');
  const { width = 0, height = 0 } = image?.image ?? {};
  if (picture.width !== width || picture.height !== height) {
    throw invalidMask(
      `mask size does not match image size: the mask is ${picture.width}x${picture.height}, the image ${width}x${height}.`,
    );
  }
  if (!picture.hasAlpha) throw invalidMask('expected a PNG with an alpha channel: its transparent area is edited.');
}
