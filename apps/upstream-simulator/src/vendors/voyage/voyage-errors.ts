import { type Headers, Refusal } from '../vendor-emulator.js';
import { credentialCheck, statusErrors } from '../vendor-errors.js';

/** `{detail}`; some errors add `error_code`. */
export const refuse = (status: number, detail: string, errorCode?: string, headers: Headers = {}): Refusal =>
  new Refusal(status, JSON.stringify({ detail, error_code: errorCode }), headers);

const NO_CARD =
  'You have not yet added your payment method in the billing page and will have reduced rate limits of 3 RPM and 10K TPM. To unlock our standard rate limits, please add a payment method in the billing page for the appropriate organization in the user dashboard (https://dashboard.voyageai.com/).';

const DETAILS: Readonly<Record<number, string>> = {
  400: 'Request validation failed.',
  401: 'Provided API key is invalid.',
  403: 'The IP address you are sending the request from is not allowed.',
  404: 'Not Found',
  429: 'Rate limit exceeded. Please try again later.',
  503: 'Our servers are experiencing high traffic. Please retry your requests after a brief wait.',
};

export const errorOf = statusErrors(
  DETAILS,
  () => 'An unexpected error occurred on our servers.',
  (status, detail, message = detail, headers) => refuse(status, message, undefined, headers),
);

export const checkCredential = credentialCheck({
  missing: () => errorOf({ status: 401 }),
  invalid: () => errorOf({ status: 401 }),
  outOfQuota: () => refuse(429, NO_CARD),
});
