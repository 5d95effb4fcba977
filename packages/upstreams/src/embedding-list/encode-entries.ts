import { malformedResponse } from '../failures/malformed-response.js';
import type { EmbeddingsCall } from '../protocol.js';

const WHITE_SPACE = /\s+/g;
/** Enough for every 32-bit float to be told from its neighbours. */
const SIGNIFICANT_DIGITS = 9;

function toUnitLength(numbers: number[]): void {
  let sum = 0;
  for (const number of numbers) sum += number * number;
  const length = Math.sqrt(sum);
  if (length === 0 || !Number.isFinite(length)) return;
  for (let place = 0; place < numbers.length; place += 1) numbers[place] = (numbers[place] as number) / length;
}

/** Little-endian 32-bit floats, whatever the machine's own order. */
function toBase64(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * Float32Array.BYTES_PER_ELEMENT);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  numbers.forEach((number, place) => {
    view.setFloat32(place * Float32Array.BYTES_PER_ELEMENT, number, true);
  });
  return bytes.toString('base64');
}

/** The JSON of one vector as the client asked for it; the upstream's own digits where nothing has to be changed. */
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
  // Rounded as base64 would be, so that both say the same.
  return `[${numbers.map((number) => Math.fround(number).toPrecision(SIGNIFICANT_DIGITS)).join(',')}]`;
}

/** Entries of the client's `data`, joined by commas, from what each holds as JSON. */
export function encodeEntries(vectors: readonly string[], firstIndex: number): Uint8Array {
  const entries = vectors.map(
    (vector, place) => `{"object":"embedding","index":${firstIndex + place},"embedding":${vector}}`,
  );
  return Buffer.from(entries.join(','), 'latin1');
}

/** Entries from the numbers of each text's vector, in the order of the texts. */
export const encodeVectors = (texts: readonly string[], call: EmbeddingsCall): Uint8Array =>
  encodeEntries(
    texts.map((text) => vectorJson(text, call)),
    call.request.firstIndex,
  );
