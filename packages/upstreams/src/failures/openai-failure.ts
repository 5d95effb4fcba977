import type { ReadFailure, UpstreamFailure } from '../protocol.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

/** Codes and types of a spent or refused credential, whatever the status: a 429 of these is no rate limit. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'project_spend_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
  'invalid_api_key',
  'model_not_found',
]);

/** Whether an OpenAI `error` is about the credential it was asked with. A model that this one may not use is a 404. */
export const isAboutOpenAiCredential = (error: JsonObject, status: number): boolean =>
  CREDENTIAL_WORDS.has(stringAt(error, 'code')) ||
  CREDENTIAL_WORDS.has(stringAt(error, 'type')) ||
  (status === 404 && stringAt(error, 'param') === 'model');

/** Errors: platform.openai.com/docs/guides/error-codes. */
export function readOpenAiFailure(failure: UpstreamFailure): ReadFailure {
  const object = errorObjectOf(failure.body);
  const error = objectAt(object ?? {}, 'error');
  return classifyErrorReport({
    status: failure.status,
    isAboutCredential: isAboutOpenAiCredential(error, failure.status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}
