import type { ChatFinishReason } from '@gateway/contracts';
import type { ResponseObject } from './wire.js';

/** How a response that is complete or incomplete ended. */
export function finishReasonOf(response: ResponseObject, hasToolCalls: boolean): ChatFinishReason {
  if (response.status === 'incomplete') {
    return response.incomplete_details?.reason === 'content_filter' ? 'content_filter' : 'length';
  }
  return hasToolCalls ? 'tool_calls' : 'stop';
}
