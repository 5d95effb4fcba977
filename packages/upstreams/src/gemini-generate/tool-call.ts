import type { ChatToolCall } from '@gateway/contracts';
import { stringifyUpstreamJson } from '../failures/malformed-response.js';
import type { ReplyPart } from './wire.js';

/** A signature of thoughts, which the client has to send back with the call. */
export interface SignedToolCall extends ChatToolCall {
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

/**
 * A part's call of a function; undefined for any other part. The upstream usually names no id: then it is the request's
 * with the call's position, so that reading the answer twice gives the same.
 */
export function toolCallOf(part: ReplyPart, requestId: string, position: number): SignedToolCall | undefined {
  const { functionCall: called, thoughtSignature: signature } = part;
  if (called === undefined) return undefined;
  return {
    id: called.id ?? `call_${requestId.replace(/^req_/, '')}_${position}`,
    type: 'function',
    function: { name: called.name, arguments: stringifyUpstreamJson(called.args ?? {}) },
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  };
}
