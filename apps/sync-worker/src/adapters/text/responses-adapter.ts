import { hasNativeResponses, withCapability } from '@gateway/catalogue';
import { type NativeResponsesRequest, type RequestId, responseIdOf } from '@gateway/contracts';
import { DIALECTS } from '@gateway/dialects';
import { adapterOf, JsonMembers, responsesPassThrough } from '@gateway/upstreams';
import { bindReasoning, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';

/** POST /v1/responses: the client's bytes if the upstream speaks the protocol itself, else a translated request. */
export const adaptResponses: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const { outputCap, requestId } = ticket;
  const { id: publicModel, chat } = model;
  if (hasNativeResponses(model)) {
    const members = JsonMembers.of<NativeResponsesRequest>(body);
    const streams = members.read('stream') === true;
    const responseId = responseIdOf(requestId as RequestId);
    const call = { body, members, streams, publicModel, responseId, outputCap };
    return bindReasoning(model, responsesPassThrough, call, streams);
  }
  const request = JSON.parse(body.toString('utf8')) as NativeResponsesRequest;
  const call = { request, publicModel, traits: chat.traits, outputCap, ...callIdentity(ticket) };
  return bindReasoning(model, adapterOf(DIALECTS['openai-responses'], chat), call, request.stream === true);
};
