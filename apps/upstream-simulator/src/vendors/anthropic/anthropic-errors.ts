import { type Headers, Refusal } from '../vendor-emulator.js';
import { credentialCheck, statusErrors } from '../vendor-errors.js';
import { newId } from '../vendor-ids.js';

const newRequestId = (): string => `req_011C${newId(20)}`;

const LIMITS = {
  'anthropic-organization-id': '00000000-0000-0000-0000-000000000001',
  'anthropic-ratelimit-requests-limit': '1000',
  'anthropic-ratelimit-requests-remaining': '999',
  'anthropic-ratelimit-input-tokens-limit': '450000',
  'anthropic-ratelimit-input-tokens-remaining': '449000',
  'anthropic-ratelimit-output-tokens-limit': '90000',
  'anthropic-ratelimit-output-tokens-remaining': '90000',
};

/** Headers of every response. */
export const anthropicHeaders = (requestId = newRequestId()) => ({ 'request-id': requestId, ...LIMITS });

export const refuse = (status: number, type: string, message: string, headers: Headers = {}): Refusal => {
  const requestId = newRequestId();
  return new Refusal(status, JSON.stringify({ type: 'error', error: { type, message }, request_id: requestId }), {
    ...anthropicHeaders(requestId),
    ...headers,
  });
};

export const invalid = (message: string): Refusal => refuse(400, 'invalid_request_error', message);

const ERRORS: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'Invalid request'],
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'There is a problem with your billing information.'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'Not found'],
  409: ['conflict_error', 'The request conflicts with the current state of the resource.'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: [
    'rate_limit_error',
    'This request would exceed the rate limit for your organization of 450,000 input tokens per minute.',
  ],
  500: ['api_error', 'Internal server error'],
  504: ['timeout_error', 'The request timed out'],
  529: ['overloaded_error', 'Overloaded'],
};

export const errorOf = statusErrors(
  ERRORS,
  () => ['api_error', 'Internal server error'] as const,
  (status, [type, usual], message = usual, headers) => refuse(status, type, message, headers),
);

export const checkCredential = credentialCheck({
  missing: () => refuse(401, 'authentication_error', 'x-api-key header is required'),
  invalid: () => errorOf({ status: 401 }),
  outOfQuota: () => errorOf({ status: 402 }),
});
