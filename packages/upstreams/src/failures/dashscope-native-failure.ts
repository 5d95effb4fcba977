import { type GatewayError, isJsonObject, type JsonObject } from '@gateway/contracts';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';
import { classifyErrorReport } from './classify-error-report.js';
import { type DashScopeError, dashScopeAccountFault, statusOfDashScopeError } from './dashscope-error.js';
import { errorObjectOf, passThroughOf } from './error-body.js';
import { retryAfterMsOf } from './retry-after.js';

/** Reads the native envelope `{request_id, code, message}`, or the compatible one that a proxy may send. */
function errorFieldsOf(object: JsonObject): DashScopeError {
  const error = isJsonObject(object.error) ? objectAt(object, 'error') : object;
  return { code: stringAt(error, 'code'), type: stringAt(error, 'type'), message: stringAt(error, 'message') };
}

/** Errors: alibabacloud.com/help/en/model-studio/error-code. */
export function readDashScopeNativeFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const fields = errorFieldsOf(object ?? {});
  return classifyErrorReport({
    status: failure.status,
    accountFault: dashScopeAccountFault(fields),
    message: fields.message,
    retryAfterMs: retryAfterMsOf(failure.headers),
    passThrough: passThroughOf(failure, object),
  });
}

/** Classifies an error that the upstream reports with HTTP 200. */
export function dashScopeErrorInResponse(object: JsonObject): GatewayError {
  const fields = errorFieldsOf(object);
  const status = statusOfDashScopeError(fields);
  return classifyErrorReport({
    status,
    accountFault: dashScopeAccountFault(fields),
    message: fields.message,
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify(object) },
  }).error;
}
