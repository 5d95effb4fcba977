import type { GatewayError } from '@gateway/contracts';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, isJsonObject, type JsonObject, objectAt, passThroughOf, stringAt } from './error-body.js';
import { parseDurationMs, retryAfterMsOf } from './retry-after.js';

/** Reasons of a refused credential. The vendor sends them with status 400. */
const CREDENTIAL_REASONS = /^(API_KEY_|SERVICE_DISABLED|BILLING_DISABLED|CONSUMER_SUSPENDED|ACCOUNT_STATE_INVALID)/;
const MISSING_MODEL = /^models\/\S+ is not found|not supported for \w+/i;
/** `FAILED_PRECONDITION` about the account: its region or its billing. */
const ACCOUNT_PRECONDITION = /location is not supported|billing/i;

const detailsOf = (error: JsonObject): readonly JsonObject[] =>
  Array.isArray(error.details) ? error.details.filter(isJsonObject) : [];

function isAboutCredential(error: JsonObject, status: number): boolean {
  const message = stringAt(error, 'message');
  if (status === 404) return MISSING_MODEL.test(message);
  if (stringAt(error, 'status') === 'FAILED_PRECONDITION') return ACCOUNT_PRECONDITION.test(message);
  return detailsOf(error).some((detail) => CREDENTIAL_REASONS.test(stringAt(detail, 'reason')));
}

const retryDelayMs = (error: JsonObject): number | undefined =>
  detailsOf(error)
    .map(({ retryDelay }) => parseDurationMs(retryDelay))
    .find((delayMs) => delayMs !== undefined);

/** Envelope `{error: {code, status, message, details}}`, sometimes in an array: ai.google.dev/gemini-api/docs/troubleshooting. */
export function readGeminiFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const error = objectAt(object ?? {}, 'error');
  return classifyErrorReport({
    status: failure.status,
    isAboutCredential: isAboutCredential(error, failure.status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryDelayMs(error) ?? retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** Classifies an error with HTTP 200. Its `code` is the intended status. */
export function geminiErrorInResponse(object: JsonObject): GatewayError {
  const error = objectAt(object, 'error');
  const status = typeof error.code === 'number' ? error.code : 500;
  return classifyErrorReport({
    status,
    isAboutCredential: isAboutCredential(error, status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryDelayMs(error),
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ error }) },
  }).error;
}
