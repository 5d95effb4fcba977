import {
  type Changes,
  changesBetween,
  DEFAULT_TOOL_CALLS,
  mergeChanges,
  type NativeResponsesRequest,
  searchesTheWeb,
} from '@gateway/contracts';
import { withoutDropped } from '../../field-table/field-table.js';
import type { JsonMembers } from '../../json/json-members.js';
import type { PassThroughResponsesCall, Target, WireRequest } from '../../protocol.js';
import { wireRequest } from '../wire-request.js';
import { fields } from './fields.js';
import { offeredChoice } from './offered-choice.js';
import { offeredTools } from './offered-tools.js';
import { readableInput } from './readable-input.js';

type Settings = Partial<NativeResponsesRequest>;

const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** What the gateway sets in the client's request, by the client's names. */
function settingsOf({ members, outputCap }: PassThroughResponsesCall): Settings {
  return {
    // The vendor would store it under an account that customers share.
    store: false,
    ...(members.read('store') !== false && includeReasoning(members)),
    ...(outputCap !== undefined && { max_output_tokens: outputCap }),
    ...(isUncapped(members) && { max_tool_calls: DEFAULT_TOOL_CALLS }),
  };
}

/** The vendor takes a reasoning item that it did not store with its encrypted content only. */
function includeReasoning(members: JsonMembers<NativeResponsesRequest>): Settings {
  const include = members.read('include') ?? [];
  return include.includes(ENCRYPTED_REASONING) ? {} : { include: [...include, ENCRYPTED_REASONING] };
}

/** Each call of the vendor's tools is billed, so the hold needs a number of them. */
const isUncapped = (members: JsonMembers<NativeResponsesRequest>): boolean =>
  members.read('max_tool_calls') == null && searchesTheWeb(members.read('tools'));

/** Admission has reported the output cap. The gateway stores what the client wants to be stored. */
const changesOf = ({ max_output_tokens: _, store: __, ...settings }: Settings): Changes => changesBetween({}, settings);

/** State of the gateway that no upstream gets: the edge has put the conversation into `input`. */
export const STATE_MEMBERS = {
  previous_response_id: undefined,
  conversation: undefined,
  background: undefined,
};

const NOT_SENT = { ...withoutDropped(fields), ...STATE_MEMBERS };

/** Our credential, and the client's bytes with another name of the model and the gateway's settings. */
export function buildRequest(call: PassThroughResponsesCall, target: Target): WireRequest {
  const settings = settingsOf(call);
  const { dropped: droppedItems, ...input } = readableInput(call);
  const offered = offeredTools(call.members);
  const { dropped: droppedTools, filled, ...tools } = offered;
  const { dropped: droppedChoices, ...choice } = offeredChoice(call, offered);
  const own = { ...input, ...tools, ...choice, ...settings, ...NOT_SENT };
  const body = call.members.with({ ...own, model: target.upstreamModel }).bytes();
  const changes = mergeChanges(changesOf(settings), {
    filled,
    dropped: [...droppedItems, ...droppedTools, ...droppedChoices],
  });
  return { ...wireRequest(body, call.streams, target), changes };
}
