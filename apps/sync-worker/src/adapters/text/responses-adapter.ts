import { withCapability } from '@gateway/catalogue';
import { type NativeResponsesRequest, type RequestId, responseIdOf } from '@gateway/contracts';
import { JsonMembers, responsesPassThrough } from '@gateway/upstreams';
import { bindStreaming } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';

/** POST /v1/responses: the client's bytes, because the upstream speaks the protocol itself. */
export const adaptResponses: Planner = (ticket, catalogueModel, body) => {
  const model = withCapability(catalogueModel, 'chat');
  const members = JsonMembers.of<NativeResponsesRequest>(body);
  const streams = members.read('stream') === true;
  const { outputCap, requestId } = ticket;
  const call = {
    body,
    members,
    streams,
    publicModel: model.id,
    responseId: responseIdOf(requestId as RequestId),
    outputCap,
  };
  return bindStreaming(model, responsesPassThrough, call, streams);
};
