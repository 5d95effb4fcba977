import { type Fields } from '../../json/fields.js';
import { type Headers, type IncomingRequest, Refusal, type RouteErrors } from '../vendor-emulator.js';
import { credentialCheck, parseJsonObject, statusErrors } from '../vendor-errors.js';
import { newUuid } from '../vendor-ids.js';

export const nativeHeaders = (requestId: string) => ({ 'x-request-id': requestId, 'req-cost-time': '12' });

/** An error of the native interface: `{request_id, code, message}`. */
export const refuse = (status: number, code: string, message: string, headers: Headers = {}): Refusal => {
  const requestId = newUuid();
  return new Refusal(status, JSON.stringify({ request_id: requestId, code, message }), {
    ...nativeHeaders(requestId),
    ...headers,
  });
};

export const invalid = (message: string): Refusal => refuse(400, 'InvalidParameter', message);

/** `isOfOtherPath`: the vendor has the model on another path. */
export const refuseModel = (isOfOtherPath: boolean): Refusal =>
  isOfOtherPath ? invalid('url error, check url!') : refuse(404, 'ModelNotFound', 'Model can not be found.');

type Row = readonly [code: string, message: string];

const ERRORS: Readonly<Record<number, Row>> = {
  400: ['InvalidParameter', 'Required parameter(s) missing or invalid, check the request parameters.'],
  401: ['InvalidApiKey', 'Invalid API-key provided.'],
  403: ['AccessDenied', 'Access denied.'],
  404: ['ModelNotFound', 'Model can not be found.'],
  429: ['Throttling.RateQuota', 'Requests rate limit exceeded, try again later.'],
  503: ['ModelUnavailable', 'Model is unavailable, please try again later.'],
};

const INTERNAL: Row = [
  'InternalError.Algo',
  'An internal error has occured during execution, please try again later or contact service support.',
];

/** Errors of the native interface; the compatible mode has others. */
export const nativeErrors: RouteErrors = {
  errorOf: statusErrors(
    ERRORS,
    () => INTERNAL,
    (status, [code, usual], message = usual, headers) => refuse(status, code, message, headers),
  ),
  checkCredential: credentialCheck({
    missing: () => refuse(401, 'InvalidApiKey', 'No API-key provided.'),
    invalid: () => refuse(401, 'InvalidApiKey', 'Invalid API-key provided.'),
    outOfQuota: () => refuse(429, 'Throttling.AllocationQuota', 'Free allocated quota exceeded.'),
    inArrears: () => refuse(400, 'Arrearage', 'Access denied, make sure your account is in good standing.'),
  }),
};

export const parseNativeBody = (incoming: IncomingRequest): Fields =>
  parseJsonObject(incoming, () => invalid('Request body format invalid'));
