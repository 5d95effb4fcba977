import { withCapability } from '@gateway/catalogue';
import { DIALECTS } from '@gateway/dialects';
import { adapterOf, parseChatCall } from '@gateway/upstreams';
import { bindStreaming, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';

/** POST /v1/chat/completions, in the protocol of the model's upstream. */
export const adaptChat: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const call = parseChatCall(body, {
    publicModel: model.id,
    traits: model.chat.traits,
    outputCap: ticket.outputCap,
    ...callIdentity(ticket),
  });
  return bindStreaming(
    model,
    adapterOf(DIALECTS['openai-chat'], model.chat),
    call,
    call.members.read('stream') === true,
  );
};
