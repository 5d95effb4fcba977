import type { ChatCompletionRequest } from '@gateway/contracts';
import { JsonMembers } from '../json/json-members.js';
import type { ChatCall } from '../protocol.js';

type AboutCall = Omit<ChatCall, 'request' | 'members'>;

/** The call that a client's own bytes ask for: parsed only by a protocol that has to. */
export function parseChatCall(body: Buffer, about: AboutCall): ChatCall {
  let request: ChatCompletionRequest | undefined;
  return {
    ...about,
    members: JsonMembers.of(body),
    get request() {
      request ??= JSON.parse(body.toString('utf8')) as ChatCompletionRequest;
      return request;
    },
  };
}

/** The call that a request asks for which was made here, of one in another format. */
export const chatCallOfRequest = (request: ChatCompletionRequest, about: AboutCall): ChatCall => ({
  ...about,
  request,
  get members() {
    return JsonMembers.from(request);
  },
});
