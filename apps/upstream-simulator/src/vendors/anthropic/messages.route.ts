import { composeCompletion } from '../../completion/compose-completion.js';
import { inputTokens } from '../../count/tokens.js';
import type { CompletionReply, FixedReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { newId } from '../vendor-ids.js';
import { anthropicHeaders, invalid } from './anthropic-errors.js';
import { generationRequest } from './generation-request.js';
import { type MessageIdentity, wholeMessage } from './message.js';
import { messageStream } from './message-stream.js';
import { readRequest } from './read-request.js';

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const call = readRequest(incoming, false);
  const task = generationRequest(call, memory);
  const completion = composeCompletion(task);
  if (completion.counts.inputTokens > call.model.contextTokens) {
    throw invalid(`prompt is too long: ${completion.counts.inputTokens} tokens > ${call.model.contextTokens} maximum`);
  }
  const identity: MessageIdentity = {
    id: `msg_01${newId(22)}`,
    model: call.model.id,
    thinks: task.thinking !== null,
    hidesUsage: task.directives.hidesUsage === true,
  };
  incoming.record.upstreamId = identity.id;
  return {
    kind: 'completion',
    directives: task.directives,
    completion: completion,
    isStream: call.request.stream === true,
    sendsToolCallsWhole: false,
    headers: anthropicHeaders(),
    whole: () => wholeMessage(identity, completion),
    openStream: () => messageStream(identity, completion),
  };
};

/** The same reading as a real call, so that the count is what the call would cost. */
const count = (incoming: IncomingRequest): FixedReply => {
  const { tally } = readRequest(incoming, true);
  return { kind: 'fixed', headers: anthropicHeaders(), body: JSON.stringify({ input_tokens: inputTokens(tally) }) };
};

export const messagesRoute: Route = { method: 'POST', path: '/v1/messages', protocol: 'anthropic-messages', handle };

export const countTokensRoute: Route = {
  method: 'POST',
  path: '/v1/messages/count_tokens',
  protocol: 'anthropic-count-tokens',
  handle: count,
};
