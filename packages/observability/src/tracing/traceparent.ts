import { randomBytes } from 'node:crypto';

/** One hop of a W3C trace (https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 lower-case hex digits, shared by all hops. */
  readonly traceId: string;
  /** 16 lower-case hex digits: this hop. */
  readonly parentId: string;
  readonly isSampled: boolean;
  /** The header for the next hop. */
  readonly traceparent: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_HEADER_LENGTH = 256;
const SAMPLED = 1;

const contextOf = (traceId: string, parentId: string, isSampled: boolean): TraceContext => ({
  traceId,
  parentId,
  isSampled,
  traceparent: `00-${traceId}-${parentId}-${isSampled ? '01' : '00'}`,
});

const isZero = (digits: string): boolean => /^0+$/.test(digits);

/** Null for an invalid header. Of a newer version, it reads the fields that all versions share. */
export function parseTraceparent(header: string | undefined): TraceContext | null {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return null;
  const match = TRACEPARENT.exec(header);
  if (match === null) return null;
  const [, version, traceId, parentId, flags, extension] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  if (version === 'ff' || (version === '00' && extension !== undefined)) return null;
  if (isZero(traceId) || isZero(parentId)) return null;
  return contextOf(traceId, parentId, (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED);
}

/** A new trace, which is sampled. */
export const newTrace = (): TraceContext =>
  contextOf(randomBytes(16).toString('hex'), randomBytes(8).toString('hex'), true);

/** This process's hop of the caller's trace, or a new trace if the header is missing or invalid. */
export function continueTrace(header: string | undefined): TraceContext {
  const caller = parseTraceparent(header);
  return caller === null ? newTrace() : contextOf(caller.traceId, randomBytes(8).toString('hex'), caller.isSampled);
}
