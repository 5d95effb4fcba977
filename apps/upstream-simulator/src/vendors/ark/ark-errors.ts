import { type Fields, fieldsOf, isFields } from '../../json/fields.js';
import { type ImageInspection, inspectImage } from '../../media/inspect-image.js';
import {
  type Headers,
  type IncomingRequest,
  type Memory,
  Refusal,
  type RouteErrors,
  type VendorEmulator,
} from '../vendor-emulator.js';
import { credentialCheck, parseJsonObject, statusErrors } from '../vendor-errors.js';
import { newId } from '../vendor-ids.js';

export type ArkError = Readonly<{ code: string; message: string; type: string; param?: string }>;
export const arkHeaders = () => ({ 'x-request-id': `0217${newId(20)}` });

/** Messages end with the request id. */
export const errorBody = ({ code, message, type, param = '' }: ArkError, requestId: string) => ({
  error: { code, message: `${message} Request id: ${requestId}`, param, type },
});

export const refuse = (status: number, error: ArkError, more: Headers = {}): Refusal => {
  const headers = arkHeaders();
  return new Refusal(status, JSON.stringify(errorBody(error, headers['x-request-id'])), { ...headers, ...more });
};

const error = (code: string, type: string, message: string, param?: string): ArkError =>
  param === undefined ? { code, message, type } : { code, message, type, param };
const badRequest = (code: string, message: string, param?: string): Refusal =>
  refuse(400, error(code, 'BadRequest', message, param));

export const invalid = (param: string, why: string): Refusal =>
  badRequest('InvalidParameter', `The parameter \`${param}\` specified in the request is not valid: ${why}.`, param);
export const missing = (param: string): Refusal =>
  badRequest('MissingParameter', `The request failed because it is missing \`${param}\` parameter.`, param);
const SENSITIVE = 'The request failed because the input text may contain sensitive information.';
export const inputIsSensitive = (): Refusal => badRequest('InputTextSensitiveContentDetected', SENSITIVE);
const UNKNOWN_MODEL = 'InvalidEndpointOrModel.NotFound';
export const unknownModel = (model: string): Refusal => {
  const message = `The model or endpoint ${model} does not exist or you do not have access to it.`;
  return refuse(404, error(UNKNOWN_MODEL, 'NotFound', message));
};

/** Refuses an image that is unreachable or broken. `param`: its place in the request. */
export function inspectInputImage(url: string, param: string, memory: Memory): ImageInspection {
  const inspection = inspectImage(url, memory.results);
  if (inspection.kind !== 'unreachable' && inspection.kind !== 'broken') return inspection;
  const message = 'The request failed because the image could not be downloaded or is not in a supported format.';
  throw badRequest('InvalidImageURL.InvalidFormat', message, param);
}

export const INTERNAL: ArkError = error(
  'InternalServiceError',
  'InternalServerError',
  'The service encountered an unexpected internal error. Please retry later.',
);

const NO_ACCESS = 'The request failed because you do not have access to it.';
const TOO_MANY_IMAGES = 'The request failed because the images per minute of the model are exceeded.';
const ERRORS: Readonly<Record<number, ArkError>> = {
  400: error('InvalidParameter', 'BadRequest', 'The request is not valid.'),
  401: error('AuthenticationError', 'Unauthorized', 'The API key in the request is missing or invalid.'),
  403: error('AccessDenied', 'Forbidden', NO_ACCESS),
  404: error(UNKNOWN_MODEL, 'NotFound', 'The model or endpoint does not exist.'),
  429: error('ModelAccountIpmRateLimitExceeded', 'TooManyRequests', TOO_MANY_IMAGES),
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
  outOfQuota: () => {
    const message = 'The request failed because your account has an overdue balance.';
    return refuse(403, error('AccountOverdueError', 'Forbidden', message));
  },
});

const TOO_MANY_REQUESTS = 'RPM (Requests Per Minute) limit of the model is exceeded.';
/** The vendor limits videos by requests, and images by images. */
export const videoErrors: RouteErrors = {
  checkCredential,
  errorOf: errorsBy({
    ...ERRORS,
    429: error('ModelAccountRpmRateLimitExceeded', 'TooManyRequests', TOO_MANY_REQUESTS),
  }),
};

/** This vendor reads names without regard to case; of two spellings, the later one counts. */
const foldNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(foldNames);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toLowerCase(), foldNames(field)]));
};

export const parseBody = (incoming: IncomingRequest): Fields =>
  fieldsOf(foldNames(parseJsonObject(incoming, () => invalid('body', 'is not JSON'))));
