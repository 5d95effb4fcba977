import { isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../../failures/malformed-response.js';
import { replaceMembers } from '../../json/replace-member.js';
import type { CompactCall, UpstreamReply } from '../../protocol.js';
import { estimateResponse, reportedUsage } from '../pass-through/usage.js';

/** Passes a compaction through with the gateway's id. */
export function readReply(body: Uint8Array, call: CompactCall): UpstreamReply {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const compaction = parseUpstreamJson(bytes);
  if (!isJsonObject(compaction) || typeof compaction.id !== 'string' || !Array.isArray(compaction.output))
    throw malformedResponse();
  const replaced = { id: JSON.stringify(call.responseId), model: JSON.stringify(call.publicModel) };
  return {
    body: replaceMembers(bytes, [], { replaced, ensured: {} }),
    usage: reportedUsage(compaction) ?? estimateResponse(compaction, call),
    upstreamId: compaction.id,
  };
}
