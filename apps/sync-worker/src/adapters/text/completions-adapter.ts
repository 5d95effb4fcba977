import { type ChatEnvelope, type ChatsEnvelope, sumUsage } from '@gateway/contracts';
import { textChunkOf, textCompletionOf, textCompletionsOf } from '@gateway/dialects';
import type { UpstreamReply } from '@gateway/upstreams';
import type { ModelAdapter } from '../../model-adapter.js';
import type { ExecutionPlan, Planner } from '../execution-plan.js';
import { adaptChat } from './chat-adapter.js';
import { overChat } from './over-chat.js';

/** POST /v1/completions: a chat of one message, or several, whose answers are the choices of a text completion. */
export const adaptCompletions: Planner = (ticket, model, body, ids) => {
  const envelope = JSON.parse(body.toString('utf8')) as ChatEnvelope | ChatsEnvelope;
  const plan = (chat: ChatEnvelope['chat']) => adaptChat(ticket, model, Buffer.from(JSON.stringify(chat)), ids);
  if ('chat' in envelope) return overChat(plan(envelope.chat), { whole: textCompletionOf, chunk: textChunkOf });
  return { kind: 'parallel', adapters: envelope.chats.map((chat) => oneCall(plan(chat))), merge: joinCompletions };
};

function oneCall(plan: ExecutionPlan): ModelAdapter {
  if (plan.kind === 'unary' || (plan.kind === 'stream' && plan.isCollected)) return plan;
  throw new Error(`one of several completions has no plan of kind ${plan.kind}`);
}

const joinCompletions = (replies: readonly UpstreamReply[]): UpstreamReply => ({
  body: textCompletionsOf(replies.map(({ body }) => JSON.parse(Buffer.from(body).toString('utf8')))),
  usage: replies.map(({ usage }) => usage).reduce(sumUsage),
  upstreamId: replies[0]?.upstreamId,
});
