import { GatewayError, type JsonObject } from '@gateway/contracts';
import { errorObjectOf } from '../failures/error-body.js';
import { geminiErrorInResponse, readGeminiFailure } from '../failures/gemini-failure.js';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

/**
 * Public envelope of this endpoint: `{error: {message, code}}`. The vendor sometimes sends its long form, whose list of
 * violations the client must not see.
 */
function briefOf(error: JsonObject): object {
  const code = stringAt(error, 'code') || stringAt(error, 'status').toLowerCase() || 'invalid_request';
  return { error: { message: stringAt(error, 'message'), code } };
}

export function readFailure(failure: UpstreamFailure): ClassifiedFailure {
  const read = readGeminiFailure(failure);
  const { passThrough } = read.error.details;
  const error = objectAt(errorObjectOf(failure.body) ?? {}, 'error');
  if (passThrough === undefined || (typeof error.code === 'string' && error.details === undefined)) return read;
  const { code, message, details } = read.error;
  const brief = { ...details, passThrough: { ...passThrough, body: JSON.stringify(briefOf(error)) } };
  return { ...read, error: new GatewayError(code, message, brief) };
}

/** Classifies an error that the upstream reports with HTTP 200. */
export const errorInResponse = geminiErrorInResponse;
