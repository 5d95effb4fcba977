import type { ChatEnvelope } from '@gateway/contracts';
import { textChunkOf, textCompletionOf } from '@gateway/dialects';
import type { Planner } from '../execution-plan.js';
import { adaptChat } from './chat-adapter.js';
import { overChat } from './over-chat.js';

/** POST /v1/completions: a chat of one message, whose answer is a text completion. */
export const adaptCompletions: Planner = (ticket, model, body, ids) => {
  const { chat } = JSON.parse(body.toString('utf8')) as ChatEnvelope;
  const plan = adaptChat(ticket, model, Buffer.from(JSON.stringify(chat)), ids);
  return overChat(plan, { whole: textCompletionOf, chunk: textChunkOf });
};
