import { JsonCursor, jsonBytes } from '@gateway/contracts';
import { malformedResponse } from '../failures/malformed-response.js';

/** Range of a value in a buffer; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Ranges of the values at a path of names. Finds every repetition of a name: parsers differ in which one they read. */
function rangesAt(cursor: JsonCursor, path: readonly string[], ranges: ByteRange[]): void {
  const [name, ...rest] = path;
  cursor.enterObject();
  for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
    const isOnPath = name !== undefined && cursor.decodedKeyIs(name);
    cursor.peek();
    const start = cursor.position;
    if (isOnPath && rest.length > 0 && cursor.isObject) {
      rangesAt(cursor, rest, ranges);
      continue;
    }
    cursor.skipValue();
    if (isOnPath && rest.length === 0) ranges.push({ start, end: cursor.position });
  }
}

/**
 * Replaces the values at a path of names; `value` is JSON. Every other byte stays, and without a match the result is the
 * same buffer. Throws a GatewayError (`upstream_error`) if the input is not a JSON object.
 */
export function replaceMember(json: Buffer, path: readonly string[], value: string): Buffer {
  const cursor = new JsonCursor(malformedResponse);
  cursor.open(json);
  const ranges: ByteRange[] = [];
  rangesAt(cursor, path, ranges);
  cursor.expectEnd();
  return replaceRanges(
    json,
    ranges.map((range) => ({ ...range, value })),
  );
}

/**
 * Replaces values of top-level members; `replacementOf` returns JSON, or undefined for a value that stays. Inserts `added`,
 * JSON by name, at the head: the object lacks these names and has others. Validates nothing: the input must have been
 * parsed before.
 */
export function replaceTopMembers(
  json: Buffer,
  replacementOf: (name: string, value: Buffer) => string | undefined,
  added: Readonly<Record<string, string>> = {},
): Buffer {
  const replacements = jsonBytes.locateMembers(json).flatMap(({ name, start, end }) => {
    const value = replacementOf(name, json.subarray(start, end));
    return value === undefined ? [] : [{ start, end, value }];
  });
  const head = json.indexOf('{') + 1;
  const inserted = membersText(added);
  return replaceRanges(
    json,
    inserted === '' ? replacements : [{ start: head, end: head, value: inserted }, ...replacements],
  );
}

const membersText = (members: Readonly<Record<string, string>>): string =>
  Object.entries(members)
    .map(([name, value]) => `${JSON.stringify(name)}:${value},`)
    .join('');

/** Range of the first top-level member with this name, written without escapes; undefined if there is none. */
export function findTopMember(json: Buffer, name: string): ByteRange | undefined {
  const cursor = new JsonCursor(malformedResponse);
  cursor.open(json);
  cursor.enterObject();
  for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
    cursor.peek();
    const start = cursor.position;
    const isMatch = cursor.keyIs(name);
    cursor.skipValue();
    if (isMatch) return { start, end: cursor.position };
  }
  return undefined;
}

interface Replacement extends ByteRange {
  readonly value: string;
}

function replaceRanges(json: Buffer, ranges: readonly Replacement[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, value } of ranges) {
    parts.push(json.subarray(from, start), Buffer.from(value));
    from = end;
  }
  return from === 0 ? json : Buffer.concat([...parts, json.subarray(from)]);
}

/** Values by name, each as JSON. */
export interface MemberValues {
  /** Replaced where the object has them. */
  readonly replaced: Readonly<Record<string, string>>;
  /** Replaced, or else inserted at the head of the object. */
  readonly ensured: Readonly<Record<string, string>>;
}

/** As `replaceMember`, for several names of the object at a path (`[]` is the whole). */
export function replaceMembers(json: Buffer, path: readonly string[], values: MemberValues): Buffer {
  const cursor = new JsonCursor(malformedResponse);
  cursor.open(json);
  const replacements: Replacement[] = [];
  membersAt(cursor, path, values, replacements);
  cursor.expectEnd();
  return replaceRanges(json, replacements);
}

function membersAt(cursor: JsonCursor, path: readonly string[], values: MemberValues, found: Replacement[]): void {
  const [name, ...rest] = path;
  if (name === undefined) {
    namedMembers(cursor, values, found);
    return;
  }
  cursor.enterObject();
  for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
    if (cursor.decodedKeyIs(name) && cursor.isObject) membersAt(cursor, rest, values, found);
    else cursor.skipValue();
  }
}

function namedMembers(cursor: JsonCursor, { replaced, ensured }: MemberValues, found: Replacement[]): void {
  const wanted = Object.entries({ ...replaced, ...ensured });
  const missing = new Set(Object.keys(ensured));
  cursor.enterObject();
  const head = found.length;
  const start = cursor.position;
  for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
    const [name, value] = wanted.find(([one]) => cursor.decodedKeyIs(one)) ?? [];
    cursor.peek();
    const from = cursor.position;
    cursor.skipValue();
    if (name === undefined || value === undefined) continue;
    missing.delete(name);
    found.push({ start: from, end: cursor.position, value });
  }
  const inserted = [...missing].map((name) => `${JSON.stringify(name)}:${ensured[name]},`).join('');
  if (inserted !== '') found.splice(head, 0, { start, end: start, value: inserted });
}
