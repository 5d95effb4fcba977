import type { ChatCompletionRequest } from '@gateway/contracts';
import { JsonMembers } from '../json/json-members.js';
import type { ChatCall } from '../protocol.js';

type CallFacts = Omit<ChatCall, 'request' | 'members'>;

/** Creates a call from the client's validated bytes. Parses them only if a protocol reads `request`. */
export function parseChatCall(body: Buffer, facts: CallFacts): ChatCall {
  let request: ChatCompletionRequest | undefined;
  return {
    ...facts,
    members: JsonMembers.of(body),
    get request() {
      request ??= JSON.parse(body.toString('utf8')) as ChatCompletionRequest;
      return request;
    },
  };
}

/** Creates a call from a request that was translated from another format. */
export const chatCallOfRequest = (request: ChatCompletionRequest, facts: CallFacts): ChatCall => ({
  ...facts,
  request,
  get members() {
    return JsonMembers.from(request);
  },
});
