import { type Headers, Refusal } from '../vendor-emulator.js';
import { credentialCheck, statusErrors } from '../vendor-errors.js';
import { newUuid } from '../vendor-ids.js';

export type CompatError = Readonly<{ message: string; type: string; code: string }>;

export const compatHeaders = (requestId = newUuid()) => ({
  'x-request-id': requestId,
  'x-dashscope-call-gateway': 'true',
});

/** The compatible mode's error body. */
export const errorBody = (error: CompatError, requestId: string): string =>
  JSON.stringify({
    error: { message: error.message, type: error.type, param: null, code: error.code },
    request_id: requestId,
  });

export const refuse = (status: number, error: CompatError, headers: Headers = {}): Refusal => {
  const requestId = newUuid();
  return new Refusal(status, errorBody(error, requestId), { ...compatHeaders(requestId), ...headers });
};

export const invalid = (message: string): Refusal =>
  refuse(400, { message, type: 'invalid_request_error', code: 'invalid_parameter_error' });

export const unknownModel = (model: string): Refusal =>
  refuse(404, {
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    type: 'invalid_request_error',
    code: 'model_not_found',
  });

const error = (message: string, type: string, code = type): CompatError => ({ message, type, code });

export const INTERNAL_ERROR = error(
  'An internal error has occured, please try again later.',
  'internal_error',
  'internal_server_error',
);

const ERRORS: Readonly<Record<number, CompatError>> = {
  400: error('Request parameter is invalid.', 'invalid_request_error', 'invalid_parameter_error'),
  401: error('Incorrect API key provided. ', 'invalid_request_error', 'invalid_api_key'),
  403: error('Model access denied.', 'access_denied', 'Model.AccessDenied'),
  404: error('Model can not be found.', 'invalid_request_error', 'model_not_found'),
  429: error('You exceeded your current requests list.', 'limit_requests'),
  503: error('The model is unavailable, please try again later.', 'internal_error', 'ModelUnavailable'),
};

export const errorOf = statusErrors(
  ERRORS,
  () => INTERNAL_ERROR,
  (status, row, message = row.message, headers) => refuse(status, { ...row, message }, headers),
);

export const checkCredential = credentialCheck({
  missing: () => refuse(401, error('No API-key provided.', 'invalid_request_error', 'invalid_api_key')),
  invalid: () => errorOf({ status: 401 }),
  outOfQuota: () =>
    refuse(429, error('Allocated quota exceeded, please increase your quota limit.', 'insufficient_quota')),
  // This vendor refuses an account in debt with 400, not with 402.
  inArrears: () => refuse(400, error('Access denied, make sure your account is in good standing.', 'Arrearage')),
});
