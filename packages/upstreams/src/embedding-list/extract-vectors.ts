import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';

const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const VECTOR = new RegExp(String.raw`^\s*${NUMBER}(?:\s*,\s*${NUMBER})*\s*$`);
/** Many times the longest vector that any model gives. */
const MAX_VECTOR_BYTES = 512 * 1024;
const SPACE = 0x20;
const COLON = 0x3a;
const OPEN = 0x5b;

export interface ExtractedVectors {
  /** The answer with each vector replaced by its place in `vectors`. */
  readonly envelope: unknown;
  /** The numbers of each vector as the upstream wrote them, without their brackets. */
  readonly vectors: readonly string[];
}

/** Where the array of a key begins whose name ends at `at`; -1 if something else follows. */
function arrayAfter(bytes: Buffer, at: number): number {
  let place = at;
  while ((bytes[place] ?? 0) <= SPACE && place < bytes.length) place += 1;
  if (bytes[place] !== COLON) return -1;
  place += 1;
  while ((bytes[place] ?? 0) <= SPACE && place < bytes.length) place += 1;
  return bytes[place] === OPEN ? place : -1;
}

function vectorText(bytes: Buffer, start: number, end: number): string {
  if (end === -1 || end - start > MAX_VECTOR_BYTES) throw malformedResponse();
  const text = bytes.toString('latin1', start, end);
  if (!VECTOR.test(text)) throw malformedResponse();
  return text;
}

/**
 * Takes the flat lists of numbers that a key holds out of an answer before the rest is parsed: nearly all of an answer
 * is numbers that go to the client as they are, and neither parsing nor writing them again is needed for that.
 * The key cannot be found inside a string, where its quotes would be escaped.
 */
export function extractVectors(body: Uint8Array, key: string): ExtractedVectors {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const name = Buffer.from(JSON.stringify(key));
  const kept: Buffer[] = [];
  const vectors: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
    const open = arrayAfter(bytes, at + name.length);
    if (open === -1) continue;
    const close = bytes.indexOf(']', open);
    const text = vectorText(bytes, open + 1, close);
    kept.push(bytes.subarray(from, open), Buffer.from(String(vectors.length)));
    vectors.push(text);
    from = close + 1;
    at = close;
  }
  kept.push(bytes.subarray(from));
  return { envelope: parseUpstreamJson(Buffer.concat(kept)), vectors };
}
