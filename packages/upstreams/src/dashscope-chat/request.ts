import { type Changes, type ChatCompletionRequest, mergeChanges } from '@gateway/contracts';
import { checkInputs } from '../client-request/check-inputs.js';
import { budgetOf, chooseEffort } from '../client-request/choose-effort.js';
import { chatChanges } from '../client-request/report-changes.js';
import { temperatureOf, topPOf } from '../client-request/sampling.js';
import { withoutDropped } from '../field-table/field-table.js';
import { chatHeaders, passThroughBody } from '../openai-compatible-chat/pass-through-body.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { fields } from './fields.js';
import { dashScopeMessages } from './messages.js';
import { sentTools } from './sent-tools.js';
import type { DashScopeChanges } from './wire.js';

/** The vendor excludes temperature 2 and top_p 0. */
const MAX_TEMPERATURE = 1.99;
const MIN_TOP_P = 0.01;

const DROPPED = withoutDropped(fields);

/** Models that think only stream. The reader collects the response for a client that does not stream. */
export const streamsUpstream = (call: ChatCall): boolean => call.request.stream === true || thinks(call);

/** Passes the client's request through with the vendor's changes. Throws a GatewayError (400) for unsupported values. */
export function buildRequest(call: ChatCall, target: Target): WireRequest {
  const { request, traits } = call;
  checkInputs(request, traits);
  const streams = streamsUpstream(call);
  // The vendor rejects `json_object` while a model thinks: an instruction replaces it.
  const needsJsonInstruction = request.response_format?.type === 'json_object' && thinks(call);
  const temperature = temperatureOf(request, traits);
  const topP = topPOf(request, traits);
  const { instruction, ...tools } = sentTools(request);
  const messages = dashScopeMessages(request, needsJsonInstruction);
  const changes: DashScopeChanges = {
    messages: instruction === undefined ? messages : [{ role: 'system', content: instruction }, ...messages],
    ...(needsJsonInstruction && { response_format: undefined }),
    temperature: temperature === undefined ? undefined : Math.min(temperature, MAX_TEMPERATURE),
    top_p: topP === undefined ? undefined : Math.max(topP, MIN_TOP_P),
    ...tools,
    ...thinking(call),
  };
  return {
    method: 'POST',
    url: `${target.baseUrl}/compatible-mode/v1/chat/completions`,
    headers: chatHeaders(target.credential, streams),
    body: passThroughBody(call, target.upstreamModel, streams, DROPPED).with(changes).bytes(),
    changes: mergeChanges(
      changesOf(request, changes),
      instruction === undefined ? undefined : { filled: { tool_choice: 'auto' }, dropped: [] },
    ),
  };
}

/** An effort that is sent as a budget, and a tool choice that names the only tool, mean what the client asked for. */
function changesOf(request: ChatCompletionRequest, { temperature, top_p, enable_thinking }: DashScopeChanges): Changes {
  const given = { ...request, enable_thinking: request.enable_thinking ?? enable_thinking };
  return chatChanges(given, { temperature, top_p, enable_thinking });
}

function thinks({ request, traits }: ChatCall): boolean {
  if (traits.thinking === 'always') return true;
  if (traits.thinking === 'none') return false;
  const effort = chooseEffort(request, traits);
  return effort === undefined ? request.enable_thinking === true : budgetOf(effort) !== 0;
}

function thinking(call: ChatCall): Pick<DashScopeChanges, 'enable_thinking' | 'thinking_budget' | 'reasoning_effort'> {
  const effort = chooseEffort(call.request, call.traits);
  const budget = effort === undefined ? undefined : budgetOf(effort);
  return {
    enable_thinking: call.traits.thinking === 'none' ? undefined : thinks(call),
    ...(budget !== undefined && budget > 0 && { thinking_budget: budget }),
    reasoning_effort: budget === undefined ? effort : undefined,
  };
}
