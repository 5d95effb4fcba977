import { type Fields } from '../../json/fields.js';
import { type IncomingRequest, Refusal, type RouteErrors, type VendorEmulator } from '../vendor-emulator.js';
import { credentialCheck, parseJsonObject, statusErrors } from '../vendor-errors.js';
import { newId } from '../vendor-ids.js';

export type ArkError = Readonly<{ code: string; message: string; type: string; param?: string }>;
export const arkHeaders = () => ({ 'x-request-id': `0217${newId(20)}` });

/** Messages end with the request id. */
export const errorBody = ({ code, message, type, param = '' }: ArkError, requestId: string) => ({
  error: { code, message: `${message} Request id: ${requestId}`, param, type },
});

export const refuse = (status: number, error: ArkError, more: Readonly<Record<string, string>> = {}): Refusal => {
  const headers = arkHeaders();
  return new Refusal(status, JSON.stringify(errorBody(error, headers['x-request-id'])), { ...headers, ...more });
};

export const invalid = (param: string, why: string): Refusal =>
  refuse(400, {
    code: 'InvalidParameter',
    message: `The parameter \`${param}\` specified in the request is not valid: ${why}.`,
    type: 'BadRequest',
    param,
  });

export const missing = (param: string): Refusal =>
  refuse(400, {
    code: 'MissingParameter',
    message: `The request failed because it is missing \`${param}\` parameter.`,
    type: 'BadRequest',
    param,
  });

export const inputIsSensitive = (): Refusal =>
  refuse(400, {
    code: 'InputTextSensitiveContentDetected',
    message: 'The request failed because the input text may contain sensitive information.',
    type: 'BadRequest',
  });

export const unknownModel = (model: string): Refusal =>
  refuse(404, {
    code: 'InvalidEndpointOrModel.NotFound',
    message: `The model or endpoint ${model} does not exist or you do not have access to it.`,
    type: 'NotFound',
  });

export const INTERNAL: ArkError = {
  code: 'InternalServiceError',
  message: 'The service encountered an unexpected internal error. Please retry later.',
  type: 'InternalServerError',
};

const ERRORS: Readonly<Record<number, ArkError>> = {
  400: { code: 'InvalidParameter', message: 'The request is not valid.', type: 'BadRequest' },
  401: {
    code: 'AuthenticationError',
    message: 'The API key in the request is missing or invalid.',
    type: 'Unauthorized',
  },
  403: { code: 'AccessDenied', message: 'The request failed because you do not have access to it.', type: 'Forbidden' },
  404: { code: 'InvalidEndpointOrModel.NotFound', message: 'The model or endpoint does not exist.', type: 'NotFound' },
  429: {
    code: 'ModelAccountIpmRateLimitExceeded',
    message: 'The request failed because the images per minute of the model are exceeded.',
    type: 'TooManyRequests',
  },
};

/** `rows`: some paths have their own. */
const errorsBy = (rows: Readonly<Record<number, ArkError>>): VendorEmulator['errorOf'] =>
  statusErrors(
    rows,
    () => INTERNAL,
    (status, error, message = error.message, headers) => refuse(status, { ...error, message }, headers),
  );

export const errorOf = errorsBy(ERRORS);

export const checkCredential = credentialCheck({
  missing: () => errorOf({ status: 401 }),
  invalid: () => errorOf({ status: 401 }),
  outOfQuota: () =>
    refuse(403, {
      code: 'AccountOverdueError',
      message: 'The request failed because your account has an overdue balance.',
      type: 'Forbidden',
    }),
});

/** The vendor limits videos by requests, and images by images. */
export const videoErrors: RouteErrors = {
  checkCredential,
  errorOf: errorsBy({
    ...ERRORS,
    429: {
      code: 'ModelAccountRpmRateLimitExceeded',
      message: 'RPM (Requests Per Minute) limit of the model is exceeded.',
      type: 'TooManyRequests',
    },
  }),
};

export const parseBody = (incoming: IncomingRequest): Fields =>
  parseJsonObject(incoming, () => invalid('body', 'is not JSON'));
