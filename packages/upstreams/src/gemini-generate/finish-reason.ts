import { GatewayError, type NeutralFinish } from '@gateway/contracts';

const FILTERED: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** The model or its service failed. The text so far is no answer, so that an agent must not take it for one. */
const BROKEN: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'NO_IMAGE',
  'IMAGE_OTHER',
]);
const ENDED: ReadonlySet<string> = new Set(['STOP', 'MAX_TOKENS', ...FILTERED]);

/** True if the response failed: by its reason, or by one that we do not know without any output. */
export const isBrokenEnd = (reason: string, hasOutput: boolean): boolean =>
  BROKEN.has(reason) || (!hasOutput && !ENDED.has(reason));

export const brokenEnd = (): GatewayError =>
  new GatewayError('upstream_error', 'The model ended its response with an error. Please try again.');

/** Converts `finishReason`. Function calls also end with STOP. */
export function finishOf(reason: string, hasToolCalls: boolean): NeutralFinish {
  if (reason === 'MAX_TOKENS') return 'length';
  if (FILTERED.has(reason)) return 'filtered';
  return hasToolCalls ? 'tool-calls' : 'stop';
}
