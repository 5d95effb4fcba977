import type { NeutralFinish } from '@gateway/contracts';
import type { ResponseObject } from './wire.js';

/** Converts `status` and `incomplete_details.reason` of a completed or incomplete response. */
export function finishOf(response: ResponseObject, hasToolCalls: boolean): NeutralFinish {
  if (response.status === 'incomplete') {
    return response.incomplete_details?.reason === 'content_filter' ? 'filtered' : 'length';
  }
  return hasToolCalls ? 'tool-calls' : 'stop';
}
