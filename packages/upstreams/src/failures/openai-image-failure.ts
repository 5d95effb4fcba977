import type { GatewayError, JsonObject } from '@gateway/contracts';
import { objectAt, stringAt } from '../json/read-fields.js';
import { classifyErrorReport } from './classify-error-report.js';
import { openAiAccountFault } from './openai-failure.js';

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  image_generation_user_error: 400,
  invalid_request_error: 400,
  moderation_blocked: 400,
  rate_limit_exceeded: 429,
  server_overloaded: 503,
};

/** Classifies an error that the upstream reports with HTTP 200, usually in a stream. */
export function errorInResponse(object: JsonObject): GatewayError {
  const error = objectAt(object, 'error');
  const status = STATUS_BY_CODE[stringAt(error, 'code')] ?? STATUS_BY_CODE[stringAt(error, 'type')] ?? 500;
  return classifyErrorReport({
    status,
    accountFault: openAiAccountFault(error, status),
    message: stringAt(error, 'message'),
    retryAfterMs: undefined,
    passThrough: { status, contentType: 'application/json', body: JSON.stringify({ error }) },
  }).error;
}
