import { GatewayError } from '@gateway/contracts';
import type { FormFile } from './form-file.js';
import type { EditForm } from './validate-image-edit.js';

const REFERENCES_AT_MOST = 64;

/** What a file may be in a form that is only told: its cost depends on how many there are, not on what they show. */
const picture = (field: string): FormFile => ({
  field,
  bytes: 1,
  image: { format: 'png', width: 1_024, height: 1_024, hasAlpha: true },
});

/**
 * A form told in JSON by someone who only asks for its price: text fields as they are, `image` as the number of
 * reference images or as a list of them (1 if it is left out), `mask` as whether there is one.
 */
export function formFromJson(body: Readonly<Record<string, unknown>>): EditForm {
  const { image, mask, ...rest } = body;
  const fields = Object.fromEntries(
    Object.entries(rest)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, textOf(name, value)]),
  );
  const images = Array.from({ length: countOf(image) }, () => picture('image'));
  const hasMask = mask !== undefined && mask !== null && mask !== false;
  return { fields, files: hasMask ? [...images, picture('mask')] : images };
}

function countOf(image: unknown): number {
  const count = Array.isArray(image) ? image.length : typeof image === 'number' ? image : 1;
  if (Number.isInteger(count) && count >= 0 && count <= REFERENCES_AT_MOST) return count;
  throw new GatewayError('invalid_request', "'image': expected the number of reference images.", { param: 'image' });
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new GatewayError('invalid_request', `'${name}': expected a text or a number.`, { param: name });
}
