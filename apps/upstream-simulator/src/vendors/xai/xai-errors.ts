import { type Fields, isAbsent, textOf } from '../../json/fields.js';
import { type Headers, type IncomingRequest, Refusal, type RouteErrors } from '../vendor-emulator.js';
import { credentialCheck, parseJsonObject, statusErrors } from '../vendor-errors.js';
import { newUuid } from '../vendor-ids.js';

/** One tick is 10⁻¹⁰ of a dollar. */
export const TICKS_PER_CENT = 100_000_000;
export const xaiHeaders = () => ({ 'x-request-id': newUuid() });

/** The vendor's common error body: `{code, error}`. */
const refuse = (status: number, code: string, error: string, headers: Headers = {}): Refusal =>
  new Refusal(status, JSON.stringify({ code, error }), { ...xaiHeaders(), ...headers });

export const invalid = (error: string): Refusal => refuse(400, 'Client specified an invalid argument', error);

/** The vendor's parser rejects a field of another type or word. */
export const unparsable = (why: string): Refusal => {
  const body = { error: `Failed to deserialize the JSON body into the target type: ${why}` };
  return new Refusal(422, JSON.stringify(body), xaiHeaders());
};

export const notFound = (error: string): Refusal => refuse(404, 'Some requested entity was not found', error);
export const unknownModel = (model: string): Refusal =>
  notFound(`The model ${model} does not exist or your team does not have access to it.`);

const NO_PERMISSION = 'The caller does not have permission to execute the specified operation';
const NO_CREDITS = 'Your team has either used all available credits or reached its monthly spending limit.';

const ERRORS: Readonly<Record<number, readonly [code: string, error: string]>> = {
  400: ['Client specified an invalid argument', 'The request is not valid.'],
  401: ['Unauthenticated', 'No credentials were provided.'],
  403: [NO_PERMISSION, 'Access denied.'],
  404: ['Some requested entity was not found', 'The requested resource was not found.'],
  429: ['Some resource has been exhausted', 'Too many requests. Please try again later.'],
  503: ['The service is currently unavailable', 'The model is at capacity right now. Please try again later.'],
};

const INTERNAL: readonly [code: string, error: string] = ['Internal error', 'An internal error has occurred.'];

export const errorOf = statusErrors(
  ERRORS,
  () => INTERNAL,
  (status, [code, usual], message = usual, headers) => refuse(status, code, message, headers),
);

export const checkCredential = credentialCheck({
  missing: () => errorOf({ status: 401 }),
  invalid: () => invalid('Incorrect API key provided: ba***. You can obtain an API key from https://console.x.ai.'),
  outOfQuota: () => refuse(403, NO_PERMISSION, NO_CREDITS),
});

/** The video paths report a rate limit in another shape. */
export const videoErrors: RouteErrors = {
  checkCredential,
  errorOf(errorSpec) {
    const { status, headers } = errorOf(errorSpec);
    if (status !== 429) return errorOf(errorSpec);
    const message = errorSpec.message ?? 'Rate limit reached.';
    const error = { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' };
    return new Refusal(status, JSON.stringify({ error }), headers);
  },
};

/** The field's value, which must be one of `words`; `fallback` if absent. */
export function oneOf(request: Fields, name: string, words: readonly string[], fallback: string): string {
  const value = request[name];
  if (isAbsent(value)) return fallback;
  const word = textOf(value);
  if (!words.includes(word)) {
    const expected = words.map((known) => `\`${known}\``).join(' or ');
    throw unparsable(`${name}: unknown variant \`${String(value)}\`, expected ${expected}`);
  }
  return word;
}

export const parseBody = (incoming: IncomingRequest): Fields =>
  parseJsonObject(incoming, () => unparsable('expected value at line 1 column 1'));
