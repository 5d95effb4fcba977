import type { ChatProtocolId } from '@gateway/contracts';
import type { ChatCall, ChatProtocol } from './protocol.js';
import { CHAT_PROTOCOLS } from './registry.js';

/** The protocols of a model's chat. */
export interface ChatProtocols {
  readonly protocol: ChatProtocolId;
  readonly toolReasoningProtocol?: ChatProtocolId;
}

/** True of a request with tools and an effort other than none, which some upstreams take by another API only. */
function isToolReasoning({ members }: ChatCall): boolean {
  const effort = members.read('reasoning_effort');
  if (effort == null || effort === 'none') return false;
  return (members.read('tools') ?? []).length > 0;
}

/** The protocol of a model's chat. With two, each call decides which one serves it. */
export function chatProtocolOf({ protocol, toolReasoningProtocol }: ChatProtocols): ChatProtocol {
  const usual: ChatProtocol = CHAT_PROTOCOLS[protocol];
  if (toolReasoningProtocol === undefined) return usual;
  const withTools: ChatProtocol = CHAT_PROTOCOLS[toolReasoningProtocol];
  const serving = (call: ChatCall): ChatProtocol => (isToolReasoning(call) ? withTools : usual);
  return {
    id: usual.id,
    buildRequest: (call, target) => serving(call).buildRequest(call, target),
    streamsUpstream: (call) => serving(call).streamsUpstream(call),
    readReply: (body, call) => serving(call).readReply(body, call),
    openReader: (call) => serving(call).openReader(call),
    // Both belong to one vendor, which has one form of errors.
    readFailure: (failure) => usual.readFailure(failure),
  };
}
