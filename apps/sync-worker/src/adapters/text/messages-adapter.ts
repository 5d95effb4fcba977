import { type ModelWithCapability, withCapability } from '@gateway/catalogue';
import type { MessagesRequest, SyncTicket } from '@gateway/contracts';
import { DIALECTS, streamOfMessage } from '@gateway/dialects';
import { adapterOf, JsonMembers, PASS_THROUGH_MESSAGES, type PassThroughMessagesCall } from '@gateway/upstreams';
import type { ModelAdapter } from '../../model-adapter.js';
import { bindReasoning, bindStreaming, callIdentity } from '../bind-protocol.js';
import type { Planner } from '../execution-plan.js';
import { withExactHistory } from './exact-history.js';
import { mustStreamWhole, planWhole } from './whole-plan.js';

const NOTHING_FORWARDED = { headers: {}, query: '' } as const;

/** POST /v1/messages: the client's bytes if the upstream has the same format, else a translated request. */
export const adaptMessages: Planner = (ticket, catalogueModel, body, ids) => {
  const model = withCapability(catalogueModel, 'chat');
  const native = PASS_THROUGH_MESSAGES[model.chat.protocol];
  if (native === undefined) {
    const request = withExactHistory(body, 'messages') as unknown as MessagesRequest;
    if (!mustStreamWhole(model, request.stream === true)) return adaptTranslated(ticket, model, request);
    return planWhole(body, (unstreamed) => adaptMessages(ticket, model, unstreamed, ids), streamOfMessage);
  }
  const isStreaming = JsonMembers.of<MessagesRequest>(body).read('stream') === true;
  return bindStreaming(model, native.create, nativeCall(ticket, model, body, isStreaming), isStreaming);
};

/** A call in the native format. An edge of an older release sends no `forward`. */
export const nativeCall = (
  ticket: SyncTicket,
  model: ModelWithCapability<'chat'>,
  body: Buffer,
  streams: boolean,
): PassThroughMessagesCall => ({ body, streams, publicModel: model.id, forward: ticket.forward ?? NOTHING_FORWARDED });

function adaptTranslated(
  ticket: SyncTicket,
  model: ModelWithCapability<'chat'>,
  request: MessagesRequest,
): ModelAdapter {
  const adapter = adapterOf(DIALECTS['anthropic-messages'], model.chat);
  const call = { request, publicModel: model.id, traits: model.chat.traits, ...callIdentity(ticket) };
  return bindReasoning(model, adapter, call, request.stream === true);
}
