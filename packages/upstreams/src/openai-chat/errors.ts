import { type LaneFailureRules, readLaneFailure } from '../chat-lane/lane-failure.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

/** Codes and types that mean a spent or refused credential, whatever the status: a 429 of these is no rate limit. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'project_spend_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
  'invalid_api_key',
  'model_not_found',
]);

const STATUS_OF_WORD: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  content_policy_violation: 400,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  requests: 429,
  tokens: 429,
  server_overloaded: 503,
};

/** Errors: platform.openai.com/docs/guides/error-codes. */
export const RULES: LaneFailureRules = {
  isAboutCredential: ({ code, type, param }, status) =>
    CREDENTIAL_WORDS.has(code) || CREDENTIAL_WORDS.has(type) || (status === 404 && param === 'model'),
  statusOf: ({ code, type }) => STATUS_OF_WORD[code] ?? STATUS_OF_WORD[type] ?? 500,
};

export const readFailure = (failure: UpstreamFailure): ReadFailure => readLaneFailure(failure, RULES);
