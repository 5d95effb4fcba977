import { replaceTopMember } from '../../json/replace-member.js';
import type { PassThroughMessagesCall, Target, WireRequest } from '../../protocol.js';
import { API_VERSION } from '../wire.js';

const MESSAGES_PATH = '/v1/messages';
const COUNT_PATH = '/v1/messages/count_tokens';

export const buildMessagesRequest = (call: PassThroughMessagesCall, target: Target): WireRequest =>
  wireRequest(MESSAGES_PATH, call, target);

export const buildCountRequest = (call: PassThroughMessagesCall, target: Target): WireRequest =>
  wireRequest(COUNT_PATH, call, target);

/** The client's own headers and query, our credential, and the client's bytes with another name of the model. */
function wireRequest(path: string, call: PassThroughMessagesCall, target: Target): WireRequest {
  return {
    method: 'POST',
    url: `${target.baseUrl}${path}${call.forward.query}`,
    headers: {
      'anthropic-version': API_VERSION,
      ...call.forward.headers,
      'x-api-key': target.credential,
      'content-type': 'application/json',
      accept: call.streams ? 'text/event-stream' : 'application/json',
    },
    body: replaceTopMember(call.body, 'model', JSON.stringify(target.upstreamModel)),
  };
}
