import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { ERRORS } from './error-table.js';
import type { ErrorRecord } from './gateway-error.js';

/** A code that programs can match. Some vendors send a sentence or a number instead. */
const CODE = /^[\w.-]{1,100}$/;

/** The fields of an upstream's own error, with the gateway's words where the vendor has none. */
export interface UpstreamError {
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  /** The code that the vendor named. */
  readonly ownCode: string | undefined;
  /** The vendor's whole body. */
  readonly body: JsonObject;
}

const isCode = (value: unknown): value is string => typeof value === 'string' && CODE.test(value);

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    // The adapter has checked that it is JSON: an event of a stream is none.
    return {};
  }
}

/** Reads `{error: {type, code, param}}`, `{code}` or `{error_code}`. Undefined if the error is none of an upstream. */
export function upstreamErrorOf({ code, param, passThrough }: ErrorRecord): UpstreamError | undefined {
  if (passThrough === undefined) return undefined;
  const body = parseObject(passThrough.body);
  const error = isJsonObject(body.error) ? body.error : body;
  const details = isJsonObject(error.details) ? error.details : {};
  const ownCode = [error.code, error.error_code, details.error_code].find(isCode);
  return {
    type: isCode(error.type) ? error.type : ERRORS[code].type,
    // Clients shorten a conversation on this code, which some vendors have in their words alone.
    code: code === 'context_length_exceeded' ? code : (ownCode ?? code),
    param: typeof error.param === 'string' ? error.param : (param ?? null),
    ownCode,
    body,
  };
}
