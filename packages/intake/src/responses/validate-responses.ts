import type { ModelWithCapability } from '@gateway/catalogue';
import {
  GatewayError,
  type NativeResponsesRequest,
  nativeResponsesRequest,
  responsesCountRequest,
} from '@gateway/contracts';
import { describeIssue } from '../describe-issue.js';

/** Throws a 400 that names the field. */
export function validateResponsesCount(body: object): void {
  const parsed = responsesCountRequest.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
}

/** Throws a 400 that names the field. The upstream speaks the protocol itself, and validates the remaining fields. */
export function validateResponses(body: object, model: ModelWithCapability<'chat'>): NativeResponsesRequest {
  const parsed = nativeResponsesRequest.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
  checkOutputCap(parsed.data.max_output_tokens, model);
  return parsed.data;
}

function checkOutputCap(cap: number | null | undefined, { id, chat }: ModelWithCapability<'chat'>): void {
  const { maxOutputTokens: limit } = chat.traits;
  if (cap == null || cap <= limit) return;
  throw new GatewayError(
    'invalid_request',
    `'max_output_tokens': ${id} supports at most ${limit} output tokens, got ${cap}.`,
    { param: 'max_output_tokens' },
  );
}
