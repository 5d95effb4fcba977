import { fieldsOf, listOf, textOf } from '../bench/json.js';

/** A finished image: an address, or bytes as a data URI. */
export interface MadeImage {
  readonly src: string;
  /** For its download. */
  readonly fileName: string;
}

/** The first characters of base64 say the format. */
const TYPES: readonly (readonly [start: string, type: string])[] = [
  ['iVBOR', 'png'],
  ['/9j/', 'jpeg'],
  ['UklGR', 'webp'],
];

function imageOf(value: unknown, index: number): readonly MadeImage[] {
  const { b64_json: base64, url } = fieldsOf(value);
  const bytes = textOf(base64);
  const type = TYPES.find(([start]) => bytes.startsWith(start))?.[1] ?? 'png';
  const src = bytes === '' ? textOf(url) : `data:image/${type};base64,${bytes}`;
  return src === '' ? [] : [{ src, fileName: `image-${index + 1}.${type}` }];
}

/** The images of an answer in OpenAI's form. */
export const imagesOf = (answer: unknown): readonly MadeImage[] => listOf(fieldsOf(answer).data).flatMap(imageOf);
