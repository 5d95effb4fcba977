import { replaceMember } from '../../chat-lane/replace-member.js';
import { invalidRequest } from '../../client-request/refuse-request.js';
import type { NativeMessagesCall, Target, WireRequest } from '../../protocol.js';
import { API_VERSION } from '../wire.js';

const MESSAGES_PATH = '/v1/messages';
const COUNT_PATH = '/v1/messages/count_tokens';

export const buildMessagesRequest = (call: NativeMessagesCall, target: Target): WireRequest =>
  wireRequest(MESSAGES_PATH, call, target);

export const buildCountRequest = (call: NativeMessagesCall, target: Target): WireRequest =>
  wireRequest(COUNT_PATH, call, target);

/** The client's own headers and query, our credential, and the client's bytes with another name of the model. */
function wireRequest(path: string, call: NativeMessagesCall, target: Target): WireRequest {
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
    body: withModel(call.body, target.upstreamModel),
  };
}

function withModel(body: Buffer, upstreamModel: string): Buffer {
  try {
    return replaceMember(body, ['model'], JSON.stringify(upstreamModel));
  } catch {
    // It has been parsed at the edge, so what is left to refuse is how deep it is nested.
    throw invalidRequest('The body of the request is nested too deeply.', 'messages');
  }
}
