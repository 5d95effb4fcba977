import { withCapability } from '@gateway/catalogue';
import { DIALECTS, functionForm, reasoningForm, streamOfCompletion } from '@gateway/dialects';
import { adapterOf, parseChatCall } from '@gateway/upstreams';
import { bindStreaming, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { overChat } from './over-chat.js';
import { mustStreamWhole, planWhole } from './whole-plan.js';

/** The forms of answers that a body asks for by these fields, which vendors do not get. */
const FORMS = {
  /** For clients that offer functions instead of tools. */
  functions: functionForm,
  /** For clients of OpenRouter. */
  reasoning: reasoningForm,
} as const;

/** POST /v1/chat/completions, in the protocol of the model's upstream. */
export const adaptChat: Planner = (ticket, catalogueModel, body, ids) => {
  const model = withCapability(catalogueModel, 'chat');
  const call = parseChatCall(body, {
    publicModel: model.id,
    traits: model.chat.traits,
    outputCap: ticket.outputCap,
    ...callIdentity(ticket),
  });
  for (const field of ['functions', 'reasoning'] as const) {
    if (call.members.read(field) !== true) continue;
    const published = call.members.with({ [field]: undefined }).bytes();
    return overChat(adaptChat(ticket, model, published, ids), FORMS[field]);
  }
  const streams = call.members.read('stream') === true;
  if (mustStreamWhole(model, streams)) {
    const includesUsage = call.members.read('stream_options')?.include_usage === true;
    const planChat = (unstreamed: Buffer) => adaptChat(ticket, model, unstreamed, ids);
    return planWhole(body, planChat, (answer) => streamOfCompletion(answer, includesUsage));
  }
  return bindStreaming(model, adapterOf(DIALECTS['openai-chat'], model.chat), call, streams);
};
