import { GatewayError } from '@gateway/contracts';
import type { FormFile } from './form-file.js';
import type { EditForm } from './validate-image-edit.js';

const MAX_REFERENCES = 64;

/** Stands for an uploaded file: the cost depends on the number of files, not on their content. */
const placeholder = (field: string): FormFile => ({
  field,
  bytes: 1,
  image: { format: 'png', width: 1_024, height: 1_024, hasAlpha: true },
});

/**
 * Builds the form of a quote from JSON. Text fields stay as they are. `image` or `images` is the number of reference images or
 * a list of them (default 1). `mask` says whether there is a mask. Throws a 400.
 */
export function formFromJson(body: Readonly<Record<string, unknown>>): EditForm {
  const { image, images, mask, ...textFields } = body;
  const fields = Object.fromEntries(
    Object.entries(textFields)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, textOf(name, value)]),
  );
  const references = Array.from({ length: countOf(image ?? images) }, () => placeholder('image'));
  const hasMask = mask !== undefined && mask !== null && mask !== false;
  return { fields, files: hasMask ? [...references, placeholder('mask')] : references };
}

function countOf(image: unknown): number {
  const count = Array.isArray(image) ? image.length : typeof image === 'number' ? image : 1;
  if (Number.isInteger(count) && count >= 0 && count <= MAX_REFERENCES) return count;
  throw new GatewayError('invalid_request', "'image': expected the number of reference images.", { param: 'image' });
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new GatewayError('invalid_request', `'${name}': expected a text or a number.`, { param: name });
}
