import { hasNativeResponses, type ModelWithCapability } from '@gateway/catalogue';
import {
  compactRequest,
  GatewayError,
  type NativeResponsesRequest,
  nativeCompactRequest,
  nativeResponsesRequest,
  responsesCountRequest,
  responsesRequest,
} from '@gateway/contracts';
import { checked } from '../checked.js';

/** Throws a 400 that names the field. */
export function validateResponsesCount(body: object): void {
  checked(responsesCountRequest, body);
}

/**
 * Throws a 400 that names the field. If the upstream speaks the protocol itself, it validates the remaining fields. Returns
 * what admission reads of either request.
 */
export function validateResponses(body: object, model: ModelWithCapability<'chat'>): NativeResponsesRequest {
  const schema = hasNativeResponses(model) ? nativeResponsesRequest : responsesRequest;
  const request = checked(schema, body) as NativeResponsesRequest;
  checkOutputCap(request.max_output_tokens, model);
  return request;
}

/** The same of a request to compact its input. */
export function validateCompact(body: object, model: ModelWithCapability<'chat'>): NativeResponsesRequest {
  return checked(hasNativeResponses(model) ? nativeCompactRequest : compactRequest, body) as NativeResponsesRequest;
}

function checkOutputCap(cap: number | null | undefined, { id, chat }: ModelWithCapability<'chat'>): void {
  const { maxOutputTokens: most, minOutputTokens: least = 1 } = chat.traits;
  if (cap == null || (cap <= most && cap >= least)) return;
  throw new GatewayError(
    'invalid_request',
    `'max_output_tokens': ${id} supports ${least} to ${most} output tokens, got ${cap}.`,
    { param: 'max_output_tokens' },
  );
}
