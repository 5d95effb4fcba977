import type { JsonObject } from '@gateway/contracts';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { type AccountFault, byCode, faultOfCode } from './account-fault.js';
import { classifyErrorReport } from './classify-error-report.js';
import { errorObjectOf, passThroughOf } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

/** Codes and types about the gateway's account, with any status: such a 429 is no rate limit. */
const ACCOUNT_CODES = {
  insufficient_quota: 'spent',
  credit_balance_exhausted: 'spent',
  project_spend_limit_exceeded: 'spent',
  billing_hard_limit_reached: 'spent',
  billing_not_active: 'spent',
  account_deactivated: 'credential',
  invalid_api_key: 'credential',
  model_not_found: 'model',
} as const;

/** The account fault of an OpenAI `error`. A model without access gives 404 with `param: model`. */
export const openAiAccountFault = (error: JsonObject, status: number): AccountFault | undefined =>
  faultOfCode(ACCOUNT_CODES, stringAt(error, 'code'), stringAt(error, 'type')) ??
  (status === 404 && stringAt(error, 'param') === 'model' ? byCode('model') : undefined);

/** Envelope `{error: {message, type, param, code}}`: platform.openai.com/docs/guides/error-codes. */
export function readOpenAiFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const error = objectAt(object ?? {}, 'error');
  const classified = classifyErrorReport({
    status: failure.status,
    accountFault: openAiAccountFault(error, failure.status),
    message: stringAt(error, 'message'),
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
  return isForeign(error) ? { ...classified, isForeignContent: true } : classified;
}

/** The vendor encrypts reasoning for an organization. Content that was changed has other words. */
const isForeign = (error: JsonObject): boolean =>
  stringAt(error, 'code') === 'invalid_encrypted_content' &&
  /organization_id did not match/.test(stringAt(error, 'message'));
