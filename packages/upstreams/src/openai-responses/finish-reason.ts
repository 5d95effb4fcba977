import type { ChatFinishReason } from '@gateway/contracts';
import type { ResponseObject } from './wire.js';

/** Converts `status` and `incomplete_details.reason` of a completed or incomplete response. */
export function finishReasonOf(response: ResponseObject, hasToolCalls: boolean): ChatFinishReason {
  if (response.status === 'incomplete') {
    return response.incomplete_details?.reason === 'content_filter' ? 'content_filter' : 'length';
  }
  return hasToolCalls ? 'tool_calls' : 'stop';
}
