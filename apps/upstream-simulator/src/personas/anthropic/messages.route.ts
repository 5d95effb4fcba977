import { composeAnswer } from '../../answer/compose-answer.js';
import { inputTokens } from '../../count/tokens.js';
import type { FixedReply, GeneratedReply, Memory, Received, Route } from '../persona.js';
import { newId } from '../vendor-ids.js';
import { anthropicHeaders, invalid } from './anthropic-errors.js';
import { type MessageIdentity, wholeMessage } from './message.js';
import { messageStream } from './message-stream.js';
import { messageTask } from './message-task.js';
import { readRequest } from './read-request.js';

const answer = (received: Received, memory: Memory): GeneratedReply => {
  const call = readRequest(received, false);
  const task = messageTask(call, memory);
  const composed = composeAnswer(task);
  if (composed.counts.inputTokens > call.model.contextTokens) {
    throw invalid(`prompt is too long: ${composed.counts.inputTokens} tokens > ${call.model.contextTokens} maximum`);
  }
  const identity: MessageIdentity = {
    id: `msg_01${newId(22)}`,
    model: call.model.id,
    thinks: task.thinking !== null,
    hidesUsage: task.directives.hidesUsage === true,
  };
  received.note.upstreamId = identity.id;
  return {
    kind: 'generated',
    directives: task.directives,
    answer: composed,
    isStream: call.request.stream === true,
    keepsToolsWhole: false,
    headers: anthropicHeaders(),
    whole: () => wholeMessage(identity, composed),
    openStream: () => messageStream(identity, composed),
  };
};

/** The same reading as a real call, so that the count is what the call would cost. */
const count = (received: Received): FixedReply => {
  const { tally } = readRequest(received, true);
  return { kind: 'fixed', headers: anthropicHeaders(), body: JSON.stringify({ input_tokens: inputTokens(tally) }) };
};

export const messagesRoute: Route = { method: 'POST', path: '/v1/messages', protocol: 'anthropic-messages', answer };

export const countTokensRoute: Route = {
  method: 'POST',
  path: '/v1/messages/count_tokens',
  protocol: 'anthropic-count-tokens',
  answer: count,
};
