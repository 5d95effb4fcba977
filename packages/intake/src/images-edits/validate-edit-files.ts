import { type EditFile, GatewayError, type ImageEditModelTraits } from '@gateway/contracts';
import type { FormFile } from './form-file.js';

const IMAGE_FIELDS = ['image', 'image[]'];
const MAX_MASK_BYTES = 4 * 1024 * 1024;

const invalid = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${expected}`, { param });

const invalidMask = (expected: string): GatewayError =>
  new GatewayError('invalid_mask', `'mask': ${expected}`, { param: 'mask' });

/** What a model accepts as files. `billing` by images: the legacy family, one square PNG. */
type FileRules = Pick<ImageEditModelTraits, 'images' | 'supportsMask'> & Partial<Pick<ImageEditModelTraits, 'billing'>>;

/** Validates the files of an edit. Keeps their order, which is the order of their bytes in the body. */
export function checkEditFiles(files: readonly FormFile[], modelId: string, traits: FileRules): readonly EditFile[] {
  const unexpected = files.find(({ field }) => field !== 'mask' && !IMAGE_FIELDS.includes(field));
  if (unexpected !== undefined)
    throw invalid(unexpected.field, "expected files in 'image', 'image[]' and 'mask' only.");
  const masks = files.filter(({ field }) => field === 'mask');
  const images = files.filter(({ field }) => field !== 'mask');
  const { most } = traits.images;
  if (images.length === 0) throw invalid('image', 'expected a file: it is required.');
  if (images.length > most) throw invalid('image', `${modelId} supports at most ${most} images, got ${images.length}.`);
  if (masks.length > 1) throw invalid('mask', 'expected at most one file.');
  for (const image of images) checkImage(image, modelId, traits);
  for (const mask of masks) checkMask(mask, images[0], modelId, traits);
  return files.map(describe);
}

function describe({ field, bytes, image: metadata }: FormFile): EditFile {
  if (metadata === undefined) throw new Error('expected the metadata of a validated image');
  const { format, width, height } = metadata;
  return { field: field === 'mask' ? 'mask' : 'image', format, width, height, bytes };
}

function checkImage({ field, bytes, image: metadata }: FormFile, modelId: string, traits: FileRules): void {
  if (metadata === undefined) throw invalid(field, 'unsupported image format: expected PNG, JPEG or WebP.');
  if (bytes >= traits.images.bytes) {
    throw invalid(field, `${modelId} supports images smaller than ${traits.images.bytes / 1024 / 1024} MB.`);
  }
  if (traits.billing?.by !== 'images') return;
  if (metadata.format !== 'png') throw invalid(field, `unsupported image format: ${modelId} supports PNG only.`);
  if (metadata.width !== metadata.height) throw invalid(field, `${modelId} supports square images only.`);
}

function checkMask(mask: FormFile, image: FormFile | undefined, modelId: string, traits: FileRules): void {
  if (!traits.supportsMask) throw invalid('mask', `${modelId} does not support masks.`);
  const { image: metadata, bytes } = mask;
  if (metadata?.format !== 'png') throw invalidMask('expected a PNG.');
  if (bytes >= MAX_MASK_BYTES) throw invalidMask('expected a PNG smaller than 4 MB.');
  const { width = 0, height = 0 } = image?.image ?? {};
  if (metadata.width !== width || metadata.height !== height) {
    throw invalidMask(
      `mask size does not match image size: the mask is ${metadata.width}x${metadata.height}, the image ${width}x${height}.`,
    );
  }
  if (!metadata.hasAlpha) throw invalidMask('expected a PNG with an alpha channel: its transparent area is edited.');
}
