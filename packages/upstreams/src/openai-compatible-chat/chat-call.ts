import type { ChatCompletionRequest } from '@gateway/contracts';
import { JsonMembers } from '../json/json-members.js';
import type { ChatCall } from '../protocol.js';

type CallFacts = Omit<ChatCall, 'request' | 'members'>;

/**
 * Creates a call from the client's validated bytes. Parses them only if a protocol reads `request`. `outputCap`: the cap
 * in tokens of a client that sent none.
 */
export function parseChatCall(
  body: Buffer,
  { outputCap, ...facts }: CallFacts & { outputCap?: number | undefined },
): ChatCall {
  let request: ChatCompletionRequest | undefined;
  const cap = outputCap === undefined ? {} : { max_completion_tokens: outputCap };
  const members = JsonMembers.of<ChatCompletionRequest>(body);
  return {
    ...facts,
    members: outputCap === undefined ? members : members.with(cap),
    get request() {
      request ??= { ...(JSON.parse(body.toString('utf8')) as ChatCompletionRequest), ...cap };
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
