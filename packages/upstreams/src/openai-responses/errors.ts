import type { GatewayError } from '@gateway/contracts';
import {
  errorObjectOf,
  isJsonObject,
  type JsonObject,
  objectAt,
  passThroughOf,
  stringAt,
} from '../failures/error-body.js';
import { judgeFailure } from '../failures/judge-failure.js';
import { OPENAI_CREDENTIAL_WORDS } from '../failures/openai-credential-words.js';
import { retryAfterMsOf } from '../failures/retry-after.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

/** Codes of a response that failed because of what it was asked. */
const CLIENT_FAULT =
  /^(invalid_|image_|empty_image|unsupported_|failed_to_download|context_length|bio_policy|misalignment_policy)/;

const isAboutCredential = (error: JsonObject, status: number): boolean =>
  OPENAI_CREDENTIAL_WORDS.has(stringAt(error, 'code')) ||
  OPENAI_CREDENTIAL_WORDS.has(stringAt(error, 'type')) ||
  (status === 404 && stringAt(error, 'param') === 'model');

/** Errors: platform.openai.com/docs/guides/error-codes. */
export function readFailure(failure: UpstreamFailure): ReadFailure {
  const object = errorObjectOf(failure.body);
  const error = objectAt(object ?? {}, 'error');
  return judgeFailure({
    status: failure.status,
    isAboutCredential: isAboutCredential(error, failure.status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

function statusOf(code: string): number {
  if (code === 'rate_limit_exceeded') return 429;
  if (code === 'server_overloaded') return 503;
  return CLIENT_FAULT.test(code) ? 400 : 500;
}

/** The `error` of a response that failed, or of an `error` event (nested or flat), under HTTP 200. */
export function errorInAnswer(error: unknown): GatewayError {
  const object = isJsonObject(error) ? error : {};
  const code = stringAt(object, 'code') || stringAt(object, 'type');
  const message = stringAt(object, 'message');
  const status = statusOf(code);
  return judgeFailure({
    status,
    isAboutCredential: isAboutCredential(object, status),
    message,
    retryAfterMs: undefined,
    passThrough: {
      status,
      contentType: 'application/json',
      body: JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } }),
    },
  }).error;
}
