import { type GatewayError, isJsonObject } from '@gateway/contracts';
import { classifyErrorReport } from '../failures/classify-error-report.js';
import { openAiAccountFault } from '../failures/openai-failure.js';
import { stringAt } from '../json/read-fields.js';

export { readOpenAiFailure as readFailure } from '../failures/openai-failure.js';

/** Error codes of a failed response that the client caused. */
const CLIENT_FAULT =
  /^(invalid_|image_|empty_image|unsupported_|failed_to_download|context_length|bio_policy|misalignment_policy)/;

function statusOf(code: string): number {
  if (code === 'rate_limit_exceeded') return 429;
  if (code === 'server_overloaded') return 503;
  return CLIENT_FAULT.test(code) ? 400 : 500;
}

/** Classifies the `error` of a failed response or of an `error` event, nested or flat, with HTTP 200. */
export function errorInResponse(error: unknown): GatewayError {
  const object = isJsonObject(error) ? error : {};
  const code = stringAt(object, 'code') || stringAt(object, 'type');
  const message = stringAt(object, 'message');
  const status = statusOf(code);
  return classifyErrorReport({
    status,
    accountFault: openAiAccountFault(object, status),
    message,
    retryAfterMs: undefined,
    passThrough: {
      status,
      contentType: 'application/json',
      body: JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } }),
    },
  }).error;
}
