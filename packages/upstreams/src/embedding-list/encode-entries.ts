import { malformedResponse } from '../failures/malformed-response.js';
import type { EmbeddingsCall } from '../protocol.js';

const WHITE_SPACE = /\s+/g;
/** Distinguishes every 32-bit float. */
const SIGNIFICANT_DIGITS = 9;

function toUnitLength(numbers: number[]): void {
  let sum = 0;
  for (const number of numbers) sum += number * number;
  const length = Math.sqrt(sum);
  if (length === 0 || !Number.isFinite(length)) return;
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = (numbers[index] as number) / length;
}

/** Base64 of little-endian 32-bit floats, on any machine. */
function toBase64(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * Float32Array.BYTES_PER_ELEMENT);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  numbers.forEach((number, index) => {
    view.setFloat32(index * Float32Array.BYTES_PER_ELEMENT, number, true);
  });
  return bytes.toString('base64');
}

/** Encodes one vector as the client requested it. Passes the upstream's digits through where nothing changes. */
function vectorJson(text: string, { request, traits }: EmbeddingsCall): string {
  const mustNormalise = traits.unitLengthOnlyAt !== null && traits.unitLengthOnlyAt !== request.dimensions;
  if (request.encoding === 'float' && !mustNormalise) {
    if (text.split(',').length !== request.dimensions) throw malformedResponse();
    return `[${text.replace(WHITE_SPACE, '')}]`;
  }
  const numbers = JSON.parse(`[${text}]`) as number[];
  if (numbers.length !== request.dimensions) throw malformedResponse();
  if (mustNormalise) toUnitLength(numbers);
  if (request.encoding === 'base64') return `"${toBase64(numbers)}"`;
  // Rounded to 32 bits, so that both encodings return equal numbers.
  return `[${numbers.map((number) => Math.fround(number).toPrecision(SIGNIFICANT_DIGITS)).join(',')}]`;
}

/** Encodes entries of the client's `data`, joined by commas. Each vector is JSON already. */
export function encodeEntries(vectors: readonly string[], firstIndex: number): Uint8Array {
  const entries = vectors.map(
    (vector, index) => `{"object":"embedding","index":${firstIndex + index},"embedding":${vector}}`,
  );
  return Buffer.from(entries.join(','), 'latin1');
}

/** Encodes entries from the numbers of each vector, in the order of the texts. */
export const encodeVectors = (texts: readonly string[], call: EmbeddingsCall): Uint8Array =>
  encodeEntries(
    texts.map((text) => vectorJson(text, call)),
    call.request.firstIndex,
  );
