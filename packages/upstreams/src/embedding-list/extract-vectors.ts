import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';

const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const VECTOR = new RegExp(String.raw`^\s*${NUMBER}(?:\s*,\s*${NUMBER})*\s*$`);
/** Far above the longest vector of any model. */
const MAX_VECTOR_BYTES = 512 * 1024;
const SPACE = 0x20;
const COLON = 0x3a;
const OPEN = 0x5b;

export interface ExtractedVectors {
  /** Parsed body, with each vector replaced by its index in `vectors`. */
  readonly envelope: unknown;
  /** Numbers of each vector in the upstream's own digits, without brackets. */
  readonly vectors: readonly string[];
}

/** Index of `[` after a key that ends at `at`; -1 if no array follows. */
function arrayAfter(bytes: Buffer, at: number): number {
  let index = at;
  while ((bytes[index] ?? 0) <= SPACE && index < bytes.length) index += 1;
  if (bytes[index] !== COLON) return -1;
  index += 1;
  while ((bytes[index] ?? 0) <= SPACE && index < bytes.length) index += 1;
  return bytes[index] === OPEN ? index : -1;
}

function vectorText(bytes: Buffer, start: number, end: number): string {
  if (end === -1 || end - start > MAX_VECTOR_BYTES) throw malformedResponse();
  const text = bytes.toString('latin1', start, end);
  if (!VECTOR.test(text)) throw malformedResponse();
  return text;
}

/**
 * Extracts the number arrays of a key before parsing the envelope. Nearly all bytes are numbers that pass through, so they
 * need neither parsing nor encoding. Throws a GatewayError (`upstream_error`) for anything that is not a number list.
 * The key is never found inside a string, because quotes are escaped there.
 */
export function extractVectors(body: Uint8Array, key: string): ExtractedVectors {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const name = Buffer.from(JSON.stringify(key));
  const envelopeParts: Buffer[] = [];
  const vectors: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
    const open = arrayAfter(bytes, at + name.length);
    if (open === -1) continue;
    const close = bytes.indexOf(']', open);
    const text = vectorText(bytes, open + 1, close);
    envelopeParts.push(bytes.subarray(from, open), Buffer.from(String(vectors.length)));
    vectors.push(text);
    from = close + 1;
    at = close;
  }
  envelopeParts.push(bytes.subarray(from));
  return { envelope: parseUpstreamJson(Buffer.concat(envelopeParts)), vectors };
}
