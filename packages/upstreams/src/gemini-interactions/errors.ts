import { GatewayError } from '@gateway/contracts';
import { errorObjectOf, type JsonObject, objectAt, stringAt } from '../failures/error-body.js';
import { geminiErrorInResponse, readGeminiFailure } from '../failures/gemini-failure.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

/**
 * Errors of this interface are brief: `{error:{message, code}}`, the code a word. Some of its refusals come in the vendor's
 * longer shape, with a list of violations that the client is not shown.
 */
function briefOf(error: JsonObject): object {
  const code = stringAt(error, 'code') || stringAt(error, 'status').toLowerCase() || 'invalid_request';
  return { error: { message: stringAt(error, 'message'), code } };
}

export function readFailure(failure: UpstreamFailure): ReadFailure {
  const read = readGeminiFailure(failure);
  const { passThrough } = read.error.details;
  const error = objectAt(errorObjectOf(failure.body) ?? {}, 'error');
  if (passThrough === undefined || (typeof error.code === 'string' && error.details === undefined)) return read;
  const { code, message, details } = read.error;
  const brief = { ...details, passThrough: { ...passThrough, body: JSON.stringify(briefOf(error)) } };
  return { ...read, error: new GatewayError(code, message, brief) };
}

/** The error that the upstream reports under HTTP 200. */
export const errorInResponse = geminiErrorInResponse;
