import { stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { type AccountFault, byWords } from './account-fault.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, passThroughOf } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

/** A 429 of an account without a payment method: waiting does not help. */
const UNPAID = /payment method|billing page/i;
const MISSING_MODEL = /model .*(is not supported|does not exist|not found)/i;

function accountFaultOf(status: number, message: string): AccountFault | undefined {
  if (status === 429) return UNPAID.test(message) ? byWords('spent') : undefined;
  return MISSING_MODEL.test(message) ? byWords('model') : undefined;
}

/** Envelope `{detail}`, in newer responses with `error_code`: docs.voyageai.com/docs/error-codes. */
export function readVoyageFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const message = stringAt(object ?? {}, 'detail');
  return classifyErrorReport({
    status: failure.status,
    accountFault: accountFaultOf(failure.status, message),
    message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}
