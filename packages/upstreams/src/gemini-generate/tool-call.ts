import type { ChatToolCall } from '@gateway/contracts';
import { stringifyUpstreamJson } from '../failures/malformed-response.js';
import type { ReplyPart } from './wire.js';

/** Tool call with a thought signature, which the client must send back. */
export interface SignedToolCall extends ChatToolCall {
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

/**
 * Converts a function call part; undefined for other parts. The upstream usually sends no id: then the id is the request id
 * with the call's position, so that reading a response twice gives equal ids.
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
