import { credentialLabel } from '../../journal/journal.js';
import { type Headers, Refusal } from '../vendor-emulator.js';
import { credentialCheck, statusErrors } from '../vendor-errors.js';
import { newId } from '../vendor-ids.js';

/** Headers of every response. */
export const openAiHeaders = () => ({
  'x-request-id': `req_${newId(24)}`,
  'openai-processing-ms': '12',
  'openai-version': '2020-10-01',
  'openai-organization': 'org-simulated',
  'x-ratelimit-limit-requests': '500',
  'x-ratelimit-limit-tokens': '30000',
  'x-ratelimit-remaining-requests': '499',
  'x-ratelimit-remaining-tokens': '29780',
  'x-ratelimit-reset-requests': '120ms',
  'x-ratelimit-reset-tokens': '440ms',
});

export type OpenAiError = Readonly<{ message: string; type?: string; param?: string | null; code?: string | null }>;

export const errorBody = ({ message, type = 'invalid_request_error', param = null, code = null }: OpenAiError) => ({
  error: { message, type, param, code },
});

export const refuse = (status: number, error: OpenAiError, headers: Headers = {}): Refusal =>
  new Refusal(status, JSON.stringify(errorBody(error)), { ...openAiHeaders(), ...headers });

export const invalid = (message: string, param: string | null = null, code: string | null = null): Refusal =>
  refuse(400, { message, param, code });

export const missing = (param: string): Refusal =>
  invalid(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter');

/** `expected`: such as `expected an integer, but got a string instead`. */
export const invalidType = (param: string, expected: string): Refusal =>
  invalid(`Invalid type for '${param}': ${expected}.`, param, 'invalid_type');

/** `supported`: the list of words as the vendor writes it. */
export const invalidValue = (param: string, value: unknown, supported: string): Refusal =>
  invalid(`Invalid value: '${String(value)}'. Supported values are: ${supported}.`, param, 'invalid_value');

export function checkBounds(kind: 'integer' | 'decimal', param: string, value: number, min: number, max = Infinity) {
  const refusal = (place: string, sign: string, bound: number): Refusal =>
    invalid(
      `Invalid '${param}': ${kind} ${place} value. Expected a value ${sign} ${bound}, but got ${value} instead.`,
      param,
      `${kind}_${place.replace('imum', '').replace(' ', '_')}_value`,
    );
  if (value > max) throw refusal('above maximum', '<=', max);
  if (value < min) throw refusal('below minimum', '>=', min);
}

export const unsupportedParameter = (message: string, param: string): Refusal =>
  invalid(message, param, 'unsupported_parameter');

export const unknownParameter = (param: string): Refusal =>
  invalid(`Unknown parameter: '${param}'.`, param, 'unknown_parameter');

export const unknownModel = (model: string): Refusal =>
  refuse(404, {
    message: `The model '${model}' does not exist or you do not have access to it.`,
    code: 'model_not_found',
  });

export const retiredModel = (model: string): Refusal =>
  refuse(404, {
    message: `The model \`${model}\` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations`,
    code: 'model_not_found',
  });

export const SERVER_ERROR: OpenAiError = {
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
};

const KEY_HELP = 'You can find your API key at https://platform.openai.com/account/api-keys.';

const ERRORS: Readonly<Record<number, OpenAiError>> = {
  400: { message: 'Invalid request.', code: 'invalid_request' },
  401: { message: `Incorrect API key provided: sk-***. ${KEY_HELP}`, code: 'invalid_api_key' },
  403: { message: 'You are not allowed to sample from this model.', code: 'permission_denied' },
  404: { message: "The model 'unknown' does not exist or you do not have access to it.", code: 'model_not_found' },
  429: {
    message:
      'Rate limit reached for requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in 120ms. Visit https://platform.openai.com/account/rate-limits to learn more.',
    type: 'requests',
    code: 'rate_limit_exceeded',
  },
  503: { message: 'The engine is currently overloaded, please try again later', type: 'server_error' },
};

export const errorOf = statusErrors(
  ERRORS,
  (status) => (status >= 500 ? SERVER_ERROR : { message: 'The request failed.' }),
  (status, error, message = error.message, headers) => refuse(status, { ...error, message }, headers),
);

export const checkCredential = credentialCheck({
  missing: () =>
    refuse(401, {
      message: `You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). ${KEY_HELP}`,
    }),
  invalid: (credential) =>
    refuse(401, {
      message: `Incorrect API key provided: ${credentialLabel(credential)}. ${KEY_HELP}`,
      code: 'invalid_api_key',
    }),
  outOfQuota: () =>
    refuse(429, {
      message:
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
});
