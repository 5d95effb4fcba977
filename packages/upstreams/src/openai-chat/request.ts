import { chooseEffort } from '../client-request/choose-effort.js';
import { chatChanges } from '../client-request/report-changes.js';
import { withoutDropped } from '../field-table/field-table.js';
import { chatCallOfRequest } from '../openai-compatible-chat/chat-call.js';
import { JSON_INSTRUCTION, needsJsonWord } from '../openai-compatible-chat/json-word.js';
import { ownToolsIn } from '../openai-compatible-chat/own-tools.js';
import { chatHeaders, passThroughBody } from '../openai-compatible-chat/pass-through-body.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { fields } from './fields.js';
import { ownMessages } from './own-messages.js';
import { NO_SAMPLING, type OpenAiChatChanges } from './wire.js';

const SAMPLING = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'] as const;

const DROPPED = withoutDropped(fields);

/** Passes the client's request through with the upstream model and effort. Drops sampling and stops for reasoning models. */
export function buildRequest(call: ChatCall, target: Target): WireRequest {
  const { members, traits } = call;
  const effort = members.read('reasoning_effort');
  const settings: OpenAiChatChanges = {
    reasoning_effort: chooseEffort({ reasoning_effort: effort }, traits),
    ...(traits.temperature === 'fixed' && NO_SAMPLING),
  };
  const changes: OpenAiChatChanges = { ...ownMessages(members), ...ownToolsIn(members), ...settings };
  const streams = members.read('stream') === true;
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/chat/completions`,
    headers: chatHeaders(target.credential, streams),
    body: passThroughBody(call, target.upstreamModel, streams, DROPPED).with(changes).bytes(),
    changes: chatChanges({ reasoning_effort: effort, ...samplingIn(call) }, settings),
  };
}

/** Builds the request of a client of another format, which does not ask for the word "json". */
export function buildTranslated(call: ChatCall, target: Target): WireRequest {
  const { request } = call;
  if (!needsJsonWord(request)) return buildRequest(call, target);
  const messages = [JSON_INSTRUCTION, ...request.messages];
  return buildRequest(chatCallOfRequest({ ...request, messages }, call), target);
}

/** These fields are read only where they are dropped. An empty list of stop sequences says nothing. */
function samplingIn({ members, traits }: ChatCall): Readonly<Record<string, unknown>> {
  if (traits.temperature !== 'fixed') return {};
  const stop = members.read('stop');
  return {
    ...Object.fromEntries(SAMPLING.map((name) => [name, members.read(name)])),
    ...(stop != null && stop.length > 0 && { stop }),
  };
}
