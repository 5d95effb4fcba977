import { type ErrorSpec, type Headers, Refusal } from '../vendor-emulator.js';
import { credentialCheck, statusErrors } from '../vendor-errors.js';

/** The official client speaks `v1` since its version 3. */
export const API_VERSIONS = ['v1beta', 'v1'] as const;

/** Headers of every response. */
export const geminiHeaders = () => ({
  'content-type': 'application/json; charset=UTF-8',
  'server-timing': 'gfet4t7; dur=12',
});

export const refuse = (
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
  headers: Headers = {},
): Refusal =>
  new Refusal(code, JSON.stringify({ error: { code, message, status, ...(details.length > 0 ? { details } : {}) } }), {
    ...geminiHeaders(),
    ...headers,
  });

export const invalid = (message: string, details: readonly object[] = []): Refusal =>
  refuse(400, 'INVALID_ARGUMENT', message, details);

/** An unknown field. `place` is such as `generation_config`. */
export const unknownName = (name: string, place: string): Refusal => {
  const at = place === '' ? '' : ` at '${place}'`;
  const description = `Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.`;
  return invalid(description, [
    {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [{ ...(place === '' ? {} : { field: place }), description }],
    },
  ]);
};

export const unknownModel = (model: string, method: string): Refusal =>
  refuse(
    404,
    'NOT_FOUND',
    `models/${model} is not found for API version v1beta, or is not supported for ${method}. Call ListModels to see the list of available models and their supported methods.`,
  );

const quotaFailure = (quotaId: string): object => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'generativelanguage.googleapis.com/generate_requests', quotaId }],
});

const QUOTA_MESSAGE = 'You exceeded your current quota, please check your plan and billing details.';

const ERRORS: Readonly<Record<number, readonly [status: string, message: string]>> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: [
    'UNAUTHENTICATED',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  ],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'Requested entity was not found.'],
  429: ['RESOURCE_EXHAUSTED', QUOTA_MESSAGE],
  500: [
    'INTERNAL',
    'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  ],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  504: ['DEADLINE_EXCEEDED', 'The request timed out. Please try again.'],
};

const retryDetails = (seconds: number | undefined): object[] =>
  seconds === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }];

export const errorOf = (spec: ErrorSpec): Refusal =>
  statusErrors(
    ERRORS,
    () => ['INTERNAL', 'An internal error has occurred.'] as const,
    (status, [name, usual], message = usual, headers) => {
      const quota = status === 429 ? [quotaFailure('GenerateRequestsPerMinutePerProjectPerModel')] : [];
      return refuse(status, name, message, [...quota, ...retryDetails(spec.retryAfterSeconds)], headers);
    },
  )(spec);

const KEY_NOT_VALID = 'API key not valid. Please pass a valid API key.';

export const checkCredential = credentialCheck({
  missing: () =>
    refuse(
      403,
      'PERMISSION_DENIED',
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    ),
  invalid: () =>
    invalid(KEY_NOT_VALID, [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
        metadata: { service: 'generativelanguage.googleapis.com' },
      },
      { '@type': 'type.googleapis.com/google.rpc.LocalizedMessage', locale: 'en-US', message: KEY_NOT_VALID },
    ]),
  outOfQuota: () =>
    refuse(429, 'RESOURCE_EXHAUSTED', QUOTA_MESSAGE, [
      quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
    ]),
});
