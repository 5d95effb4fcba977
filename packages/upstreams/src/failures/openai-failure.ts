import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

/** Codes and types of a refused or exhausted credential, with any status: such a 429 is no rate limit. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'project_spend_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
  'invalid_api_key',
  'model_not_found',
]);

/** True if an OpenAI `error` concerns the credential. A model without access gives 404 with `param: model`. */
export const isAboutOpenAiCredential = (error: JsonObject, status: number): boolean =>
  CREDENTIAL_WORDS.has(stringAt(error, 'code')) ||
  CREDENTIAL_WORDS.has(stringAt(error, 'type')) ||
  (status === 404 && stringAt(error, 'param') === 'model');

/** Envelope `{error: {message, type, param, code}}`: platform.openai.com/docs/guides/error-codes. */
export function readOpenAiFailure(failure: UpstreamFailure): ClassifiedFailure {
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
