import { chooseEffort } from '../client-request/choose-effort.js';
import { chatHeaders, passThroughBody, type UnpricedFields } from '../openai-compatible-chat/pass-through-body.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { NO_SAMPLING, type OpenAiChatChanges } from './wire.js';

const UNPRICED_FIELDS: UnpricedFields = {
  service_tier: (tier) => tier !== 'auto' && tier !== 'default',
  web_search_options: () => true,
  modalities: (modalities) => Array.isArray(modalities) && modalities.includes('audio'),
};

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
    body: passThroughBody(call, target.upstreamModel, streams, UNPRICED_FIELDS).with(changes).bytes(),
  };
}
