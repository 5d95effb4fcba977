import type { ByteRange } from '@gateway/store';

interface Reading {
  readonly method: string;
  readonly headers: RangeHeaders;
}

interface RangeHeaders {
  readonly range?: string | undefined;
  readonly 'if-range'?: string | string[] | undefined;
}

/** `bytes=0-99`, `bytes=100-`, `bytes=-100`. */
const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/;

/**
 * The part that a client asks for (RFC 9110, 14.2). Undefined: the whole, also for HEAD, several parts, other units, a
 * malformed header, and a part of an entity that has changed since.
 */
export function readRange(
  { method, headers: { range, 'if-range': condition } }: Reading,
  { entityTag, bytes }: { readonly entityTag: string; readonly bytes: number },
): ByteRange | 'unsatisfiable' | undefined {
  if (method !== 'GET' || range === undefined) return undefined;
  if (condition !== undefined && condition !== entityTag) return undefined;
  const [, first = '', last = ''] = ONE_RANGE.exec(range) ?? [];
  if (first === '') return last === '' ? undefined : suffixOf(Number(last), bytes);
  const [start, end] = [Number(first), last === '' ? bytes - 1 : Number(last)];
  if (last !== '' && start > end) return undefined;
  return start >= bytes ? 'unsatisfiable' : { start, end: Math.min(end, bytes - 1) };
}

const suffixOf = (length: number, bytes: number): ByteRange | 'unsatisfiable' =>
  length === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - length), end: bytes - 1 };
