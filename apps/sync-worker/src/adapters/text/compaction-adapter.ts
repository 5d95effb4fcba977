import { hasNativeResponses, withCapability } from '@gateway/catalogue';
import { type NativeResponsesRequest, type RequestId, responseIdOf } from '@gateway/contracts';
import { openAiCompaction } from '@gateway/dialects';
import { adapterOf, compactPassThrough, JsonMembers } from '@gateway/upstreams';
import { bindStreaming, bindUnary, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';

/** POST /v1/responses/compact: by the vendor if it compacts itself, else by a summary of the model. */
export const adaptCompaction: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const { outputCap, requestId } = ticket;
  const { id: publicModel, chat } = model;
  if (hasNativeResponses(model)) {
    const members = JsonMembers.of<NativeResponsesRequest>(body);
    return bindUnary(model, compactPassThrough, {
      body,
      members,
      publicModel,
      responseId: responseIdOf(requestId as RequestId),
    });
  }
  const request: unknown = JSON.parse(body.toString('utf8'));
  const call = { request, publicModel, traits: chat.traits, outputCap, ...callIdentity(ticket) };
  return bindStreaming(model, adapterOf(openAiCompaction, chat), call, false);
};
