import { type GatewayError, isJsonObject, type JsonObject } from '@gateway/contracts';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { type AccountFault, byCode, byWords } from './account-fault.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, passThroughOf } from './error-body.js';
import { parseDurationMs, retryAfterMsOf } from './retry-after.js';

/** Reasons of a refused credential. The vendor sends them with status 400. */
const CREDENTIAL_REASONS = /^(API_KEY_|SERVICE_DISABLED|BILLING_DISABLED|CONSUMER_SUSPENDED|ACCOUNT_STATE_INVALID)/;
/** Client's references, which the vendor also reports with 403 or 404. */
const CLIENT_REFERENCE = /\b(File|cached ?content|interaction)\b/i;
const SPENT = /prepayment credits|spending cap|spend(ing)? limit/i;
/** `FAILED_PRECONDITION` about the account: its region or its billing. */
const ACCOUNT_PRECONDITION = /location is not supported|billing/i;

const detailsOf = (error: JsonObject): readonly JsonObject[] =>
  Array.isArray(error.details) ? error.details.filter(isJsonObject) : [];

function accountFaultOf(error: JsonObject, status: number): AccountFault | undefined {
  const message = stringAt(error, 'message');
  if (detailsOf(error).some((detail) => CREDENTIAL_REASONS.test(stringAt(detail, 'reason'))))
    return byCode('credential');
  if (status === 404) return message === '' || isAboutReference(message) ? undefined : byCode('model');
  if (stringAt(error, 'status') === 'FAILED_PRECONDITION') {
    return ACCOUNT_PRECONDITION.test(message) ? byWords('credential') : undefined;
  }
  return status === 429 && SPENT.test(message) ? byWords('spent') : undefined;
}

/** Requests name one model, so that any other 404 is about it. The message of a retired one has no fixed words. */
const isAboutReference = (message: string): boolean => !message.includes('models/') && CLIENT_REFERENCE.test(message);

/** A 403 for a file that does not exist, or that another project owns. */
const isMissingFile = (error: JsonObject, status: number): boolean =>
  status === 403 && /^You do not have permission to access the File\b/i.test(stringAt(error, 'message'));

const retryDelayMs = (error: JsonObject): number | undefined =>
  detailsOf(error)
    .map(({ retryDelay }) => parseDurationMs(retryDelay))
    .find((delayMs) => delayMs !== undefined);

/** Envelope `{error: {code, status, message, details}}`, sometimes in an array: ai.google.dev/gemini-api/docs/troubleshooting. */
export function readGeminiFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const error = objectAt(object ?? {}, 'error');
  // The client's file, so the client's error.
  const status = isMissingFile(error, failure.status) ? 404 : failure.status;
  return classifyErrorReport({
    status,
    accountFault: accountFaultOf(error, status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryDelayMs(error) ?? retryAfterMsOf(failure.headers),
    passThrough: passThroughOf({ ...failure, status }, object),
  });
}

/** Classifies an error with HTTP 200. Its `code` is the intended status. */
export function geminiErrorInResponse(object: JsonObject): GatewayError {
  const error = objectAt(object, 'error');
  const status = typeof error.code === 'number' ? error.code : 500;
  return classifyErrorReport({
    status,
    accountFault: accountFaultOf(error, status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryDelayMs(error),
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ error }) },
  }).error;
}
