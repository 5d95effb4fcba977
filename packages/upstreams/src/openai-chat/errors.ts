import { openAiAccountFault } from '../failures/openai-failure.js';
import { type ChatErrorRules, readChatFailure } from '../openai-compatible-chat/chat-errors.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
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

/** Envelope `{error: {message, type, param, code}}`: platform.openai.com/docs/guides/error-codes. */
export const RULES: ChatErrorRules = {
  accountFaultOf: (fields, status) => openAiAccountFault({ ...fields }, status),
  statusOf: ({ code, type }) => STATUS_BY_CODE[code] ?? STATUS_BY_CODE[type] ?? 500,
};

export const readFailure = (failure: UpstreamFailure): ClassifiedFailure => readChatFailure(failure, RULES);
