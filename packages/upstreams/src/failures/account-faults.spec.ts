import { describe, expect, it } from '@jest/globals';
import { CHAT_ADAPTERS } from '../conformance/adapters.js';
import { EMBEDDING_PROTOCOLS, IMAGE_PROTOCOLS, VIDEO_PROTOCOLS } from '../registry.js';

const anthropic = CHAT_ADAPTERS['anthropic-messages'];
const openai = CHAT_ADAPTERS['openai-chat'];
const gemini = CHAT_ADAPTERS['gemini-generate'];
const xai = VIDEO_PROTOCOLS['xai-video'];

type Reader = Pick<typeof anthropic, 'readFailure'>;

const read = (protocol: Reader, status: number, body: object) => {
  const failure = protocol.readFailure({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) });
  return { kind: failure.kind, isSpent: failure.isSpent === true, isCertain: failure.needsConfirmation !== true };
};

const anthropicBody = (type: string, message: string, code?: string) => ({
  type: 'error',
  error: { type, message, ...(code !== undefined && { details: { error_code: code } }) },
});
const geminiBody = (code: number, status: string, message: string) => ({ error: { code, status, message } });
const xaiBody = (code: string, error: string) => ({ code, error });

const SPENT = { kind: 'credential', isSpent: true, isCertain: true };
const REFUSED = { kind: 'credential', isSpent: false, isCertain: true };
const MODEL = { kind: 'model', isSpent: false, isCertain: false };
const CLIENT = { kind: 'request', isSpent: false, isCertain: true };

const TEAM_SPENT = 'Your team 4cdc has either used all available credits or reached its monthly spending limit.';
const QUOTA = 'You exceeded your current quota, please check your plan and billing details.';

describe('an account that is out of credit', () => {
  it.each<[string, Reader, number, object]>([
    ['anthropic, tier', anthropic, 429, anthropicBody('rate_limit_error', 'x', 'enforced_spend_limit_reached')],
    ['anthropic, contract', anthropic, 429, anthropicBody('rate_limit_error', 'x', 'contract_spend_limit_reached')],
    [
      'anthropic, credit',
      anthropic,
      400,
      anthropicBody('invalid_request_error', 'Your credit balance is too low to go.'),
    ],
    [
      'anthropic, workspace',
      anthropic,
      400,
      anthropicBody('invalid_request_error', 'You have reached your specified workspace API usage limits.'),
    ],
    ['anthropic, 402', anthropic, 402, anthropicBody('billing_error', 'x')],
    [
      'openai, quota',
      openai,
      429,
      { error: { code: 'insufficient_quota', type: 'insufficient_quota', message: QUOTA } },
    ],
    ['openai, credits', openai, 429, { error: { code: 'credit_balance_exhausted', message: 'No credits.' } }],
    ['gemini, prepaid', gemini, 429, geminiBody(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.')],
    ['xai, 429', xai, 429, xaiBody('Some resource has been exhausted', TEAM_SPENT)],
    ['ark', IMAGE_PROTOCOLS['ark-images'], 429, { error: { code: 'SetLimitExceeded', message: 'x' } }],
    ['dashscope', IMAGE_PROTOCOLS['dashscope-image'], 400, { code: 'Arrearage', message: 'x' }],
  ])('is the credential, with any status: %s', (_, protocol, status, body) => {
    expect(read(protocol, status, body)).toEqual(SPENT);
  });

  it('closes nothing before it is confirmed where the status is 403', () => {
    expect(read(xai, 403, xaiBody('permission-denied', TEAM_SPENT))).toEqual({ ...SPENT, isCertain: false });
  });

  it.each<[string, Reader, object]>([
    ['anthropic', anthropic, anthropicBody('rate_limit_error', 'Number of request tokens has exceeded your limit')],
    ['anthropic, ramp', anthropic, anthropicBody('rate_limit_error', 'x', 'ramp_limit_exceeded')],
    ['gemini', gemini, geminiBody(429, 'RESOURCE_EXHAUSTED', QUOTA)],
    ['xai', xai, xaiBody('Some resource has been exhausted', 'Too many requests for team x')],
  ])('is not taken for a rate limit, nor a rate limit for it: %s', (_, protocol, body) => {
    expect(read(protocol, 429, body)).toMatchObject({ kind: 'throttled', isSpent: false });
  });
});

describe('an organisation that its vendor has disabled', () => {
  const disabled = 'This organization has been disabled. An organization admin can appeal at https://console.example';

  it.each([
    ['by code', anthropicBody('invalid_request_error', 'Other words', 'organization_on_hold')],
    ['by its sentence', anthropicBody('invalid_request_error', disabled)],
    ['by the code of its key', anthropicBody('invalid_request_error', 'x', 'cmek_key_disabled')],
  ])('is the credential, never the client: %s', (_, body) => {
    expect(read(anthropic, 400, body)).toEqual(REFUSED);
    const { error } = anthropic.readFailure({ status: 400, headers: {}, body: Buffer.from(JSON.stringify(body)) });
    expect([error.code, error.details.passThrough]).toEqual(['upstream_unavailable', undefined]);
    expect(error.message).not.toMatch(/organization|appeal|console/i);
  });

  it.each([disabled, 'Your credit balance is too low', 'spend limit'])(
    'cannot be feigned by words that the vendor quotes: %s',
    (words) => {
      const quoted = anthropicBody('invalid_request_error', `tools.0.name: '${words}' does not match`);
      expect(read(anthropic, 400, quoted)).toEqual(CLIENT);
    },
  );
});

describe('a model that its vendor no longer serves', () => {
  const retired = 'This model models/gemini-2.5-flash is no longer available to new users. Please update your code.';

  it.each<[string, Reader, object]>([
    ['generate', gemini, geminiBody(404, 'NOT_FOUND', retired)],
    ['generate, bare', gemini, geminiBody(404, 'NOT_FOUND', 'Requested entity was not found.')],
    ['embed', EMBEDDING_PROTOCOLS['gemini-embeddings'], geminiBody(404, 'NOT_FOUND', retired)],
    ['interactions', IMAGE_PROTOCOLS['gemini-interactions'], geminiBody(404, 'NOT_FOUND', retired)],
    ['anthropic', anthropic, anthropicBody('not_found_error', 'model: claude-x')],
    ['openai', openai, { error: { code: 'model_not_found', message: 'x' } }],
  ])('is the model of the channel, once it is confirmed: %s', (_, protocol, body) => {
    expect(read(protocol, 404, body)).toEqual(MODEL);
  });

  it('is not confused with what the client refers to', () => {
    const interactions = IMAGE_PROTOCOLS['gemini-interactions'];
    expect(read(interactions, 404, geminiBody(404, 'NOT_FOUND', 'Interaction v1_x not found.'))).toEqual(CLIENT);
    const file = 'You do not have permission to access the File abc or it may not exist.';
    const body = Buffer.from(JSON.stringify(geminiBody(403, 'PERMISSION_DENIED', file)));
    const failure = gemini.readFailure({ status: 403, headers: {}, body });
    expect([failure.kind, failure.error.code, failure.error.message]).toEqual(['request', 'not_found', file]);
  });
});

describe('a refusal', () => {
  it.each<[string, Reader, object]>([
    ['anthropic', anthropic, anthropicBody('permission_error', 'x')],
    ['gemini', gemini, geminiBody(403, 'PERMISSION_DENIED', 'x')],
    ['openai', openai, { error: { code: 'unsupported_country_region_territory', message: 'x' } }],
    ['xai', xai, xaiBody('x', 'x')],
  ])('with 403 is never certain: %s', (_, protocol, body) => {
    expect(read(protocol, 403, body)).toEqual(MODEL);
  });

  it.each<[string, Reader, number, object]>([
    ['anthropic', anthropic, 401, anthropicBody('authentication_error', 'invalid x-api-key')],
    ['xai', xai, 400, xaiBody('Client specified an invalid argument', 'Incorrect API key provided: xa***.')],
  ])('of the key is certain: %s', (_, protocol, status, body) => {
    expect(read(protocol, status, body)).toEqual(REFUSED);
  });

  it('by words that may quote the client is not certain', () => {
    const quoted = xaiBody('Client specified an invalid argument', "unknown field 'api key'");
    expect(read(xai, 400, quoted)).toEqual({ ...REFUSED, isCertain: false });
  });
});
