import { type Headers, Refusal, type RouteErrors } from '../vendor-emulator.js';
import { credentialCheck, statusErrors } from '../vendor-errors.js';
import { geminiHeaders } from './gemini-errors.js';

/** An error of the Interactions interface: `{error: {message, code}}`. */
export const refuse = (status: number, code: string, message: string, headers: Headers = {}): Refusal =>
  new Refusal(status, JSON.stringify({ error: { message, code } }), { ...geminiHeaders(), ...headers });

export const invalid = (message: string): Refusal => refuse(400, 'invalid_request', message);
type Row = readonly [code: string, message: string];

const ERRORS: Readonly<Record<number, Row>> = {
  400: ['invalid_request', 'Request contains an invalid argument.'],
  401: ['unauthenticated', 'Request had invalid authentication credentials.'],
  403: ['permission_denied', 'The caller does not have permission'],
  404: ['not_found', 'Requested entity was not found.'],
  429: ['resource_exhausted', 'You exceeded your current quota, please check your plan and billing details.'],
  503: ['unavailable', 'The model is overloaded. Please try again later.'],
};

const INTERNAL: Row = ['internal', 'An internal error has occurred.'];

const errorOf = statusErrors(
  ERRORS,
  () => INTERNAL,
  (status, [code, usual], message = usual, headers) => refuse(status, code, message, headers),
);

/** Errors of the Interactions interface; `generateContent` has others. */
export const interactionErrors: RouteErrors = {
  errorOf,
  checkCredential: credentialCheck({
    missing: () => errorOf({ status: 403 }),
    invalid: () => errorOf({ status: 401 }),
    outOfQuota: () => errorOf({ status: 429 }),
  }),
};
