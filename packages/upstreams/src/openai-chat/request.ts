import { laneBody, laneHeaders, type PaidExtras } from '../chat-lane/lane-request.js';
import { checkInputs } from '../client-request/check-inputs.js';
import { chooseEffort } from '../client-request/choose-effort.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { type OpenAiChatBody, SAMPLING_FIELDS } from './wire.js';

const PAID_EXTRAS: PaidExtras = {
  service_tier: (tier) => tier !== 'auto' && tier !== 'default',
  web_search_options: () => true,
  modalities: (modalities) => Array.isArray(modalities) && modalities.includes('audio'),
};

/** The client's request for the upstream's model. Sampling parameters are dropped where the model refuses them. */
export function buildRequest(call: ChatCall, target: Target): WireRequest {
  checkInputs(call.request, call.traits);
  const effort = chooseEffort(call.request, call.traits);
  const streams = call.request.stream === true;
  const { reasoning_effort: _asked, ...rest } = laneBody(call, target.upstreamModel, streams, PAID_EXTRAS);
  if (call.traits.temperature === 'fixed') for (const field of SAMPLING_FIELDS) delete rest[field];
  const body: OpenAiChatBody = {
    ...rest,
    model: target.upstreamModel,
    ...(effort !== undefined && { reasoning_effort: effort }),
  };
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/chat/completions`,
    headers: laneHeaders(target.credential, streams),
    body: JSON.stringify(body),
  };
}
