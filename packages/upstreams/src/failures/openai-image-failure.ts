import type { GatewayError } from '@gateway/contracts';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';
import { errorObjectOf, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { judgeFailure } from './judge-failure.js';
import { OPENAI_CREDENTIAL_WORDS } from './openai-credential-words.js';
import { retryAfterMsOf } from './retry-after.js';

const STATUS_OF_WORD: Readonly<Record<string, number>> = {
  image_generation_user_error: 400,
  invalid_request_error: 400,
  moderation_blocked: 400,
  rate_limit_exceeded: 429,
  server_overloaded: 503,
};

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

/** The error that the upstream reports under HTTP 200, mostly in a stream. */
export function errorInAnswer(object: JsonObject): GatewayError {
  const error = objectAt(object, 'error');
  const status = STATUS_OF_WORD[stringAt(error, 'code')] ?? STATUS_OF_WORD[stringAt(error, 'type')] ?? 500;
  return judgeFailure({
    status,
    isAboutCredential: isAboutCredential(error, status),
    message: stringAt(error, 'message'),
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ error }) },
  }).error;
}
