import { chooseEffort } from '../client-request/choose-effort.js';
import { chatHeaders, passThroughBody, withoutDropped } from '../openai-compatible-chat/pass-through-body.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { fields } from './fields.js';
import { NO_SAMPLING, type OpenAiChatChanges } from './wire.js';

const DROPPED = withoutDropped(fields);

/** Passes the client's request through with the upstream model and effort. Drops sampling for reasoning models. */
export function buildRequest(call: ChatCall, target: Target): WireRequest {
  const { members, traits } = call;
  const changes: OpenAiChatChanges = {
    reasoning_effort: chooseEffort({ reasoning_effort: members.read('reasoning_effort') }, traits),
    ...(traits.temperature === 'fixed' && NO_SAMPLING),
  };
  const streams = members.read('stream') === true;
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/chat/completions`,
    headers: chatHeaders(target.credential, streams),
    body: passThroughBody(call, target.upstreamModel, streams, DROPPED).with(changes).bytes(),
  };
}
