import { withoutDropped } from '../../field-table/field-table.js';
import type { CompactCall, Target, WireRequest } from '../../protocol.js';
import { offeredTools } from '../pass-through/offered-tools.js';
import { readableInput } from '../pass-through/readable-input.js';
import { STATE_MEMBERS } from '../pass-through/request.js';
import { wireRequest } from '../wire-request.js';
import { fields } from './fields.js';

const NOT_SENT = { ...withoutDropped(fields), ...STATE_MEMBERS };

/** Our credential, and the client's conversation with another name of the model. */
export function buildRequest(call: CompactCall, target: Target): WireRequest {
  const { dropped: droppedItems, ...input } = readableInput(call);
  const { dropped: droppedTools, filled, ...tools } = offeredTools(call.members);
  const body = call.members.with({ ...input, ...tools, ...NOT_SENT, model: target.upstreamModel }).bytes();
  const changes = { filled, dropped: [...droppedItems, ...droppedTools] };
  return { ...wireRequest(body, false, target, '/compact'), changes };
}
