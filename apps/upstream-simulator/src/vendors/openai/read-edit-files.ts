import { type ImageSize, readImageSize } from '../../media/image-size.js';
import { invalid, missing, refuse } from './openai-errors.js';
import type { FormPart } from './read-form.js';

const MAX_REFERENCES = 16;
const MAX_LEGACY_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 50 * 1024 * 1024;
const FORMATS = ['png', 'jpeg', 'webp'];
const ALPHA_COLOR_TYPES = [4, 6];
const COLOR_TYPE_AT = 25;

const userError = (message: string, param: string, code: string) =>
  refuse(400, { message, type: 'image_generation_user_error', param, code });

const readInputSize = (content: Buffer, index: number): ImageSize => {
  const size = readImageSize(content);
  if (size === undefined || !FORMATS.includes(size.format)) {
    throw userError(
      `Invalid image file or mode for image ${index + 1}, please check your image file.`,
      'image',
      'invalid_image_file',
    );
  }
  return size;
};

function checkMask(mask: FormPart, first: ImageSize): void {
  const size = readImageSize(mask.content);
  if (size?.format !== 'png' || !ALPHA_COLOR_TYPES.includes(mask.content[COLOR_TYPE_AT] ?? 0)) {
    throw userError('Invalid mask image format - mask needs an alpha channel', 'mask', 'invalid_mask_image_format');
  }
  if (size.width !== first.width || size.height !== first.height) {
    throw userError(
      'Invalid mask image format - mask size does not match image size',
      'mask',
      'invalid_mask_image_format',
    );
  }
}

/** Checks the files of an edit, and returns the number of reference images. */
export function readEditFiles(parts: readonly FormPart[], isLegacy: boolean): number {
  const files = parts.filter(({ filename }) => filename !== undefined);
  const images = files.filter(({ name }) => name === 'image' || name === 'image[]');
  const [first] = images;
  if (first === undefined) throw missing('image');
  if (images.filter(({ name }) => name === 'image').length > 1) {
    throw invalid(
      "Duplicate parameter: 'image'. You provided multiple values for this parameter, whereas only one is allowed. If you are trying to provide a list of values, use the array syntax instead e.g. 'image[]=<value>'.",
      'image',
      'duplicate_parameter',
    );
  }
  if (images.length > (isLegacy ? 1 : MAX_REFERENCES)) {
    throw invalid(`Too many images: ${images.length}.`, 'image', 'array_above_max_length');
  }
  if (images.some(({ content }) => content.length >= (isLegacy ? MAX_LEGACY_BYTES : MAX_BYTES))) {
    throw invalid('Uploaded image must be a PNG and less than 4 MB.', 'image');
  }
  const [size] = images.map(({ content }, index) => readInputSize(content, index));
  if (isLegacy && (size?.format !== 'png' || size.width !== size.height)) {
    throw invalid('Uploaded image must be a square PNG and less than 4 MB.', 'image');
  }
  const mask = files.find(({ name }) => name === 'mask');
  if (mask !== undefined && size !== undefined) checkMask(mask, size);
  return images.length;
}
