import { isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../../failures/malformed-response.js';
import { replaceMembers } from '../../json/replace-member.js';
import type { PassThroughResponsesCall, UpstreamReply } from '../../protocol.js';
import { errorInResponse } from '../errors.js';
import { clientMembers } from './client-members.js';
import { estimateResponse, reportedUsage } from './usage.js';

const FINISHED: ReadonlySet<unknown> = new Set(['completed', 'incomplete']);

/** Passes a response through with the client's names. Reads only its usage. Throws the error of a failed response. */
export function readReply(body: Uint8Array, call: PassThroughResponsesCall): UpstreamReply {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const response = parseUpstreamJson(bytes);
  if (!isJsonObject(response)) throw malformedResponse();
  if (isJsonObject(response.error)) throw errorInResponse(response.error);
  if (typeof response.id !== 'string' || !FINISHED.has(response.status)) throw malformedResponse();
  return {
    body: replaceMembers(bytes, [], clientMembers(call)),
    usage: reportedUsage(response) ?? estimateResponse(response, call),
    upstreamId: response.id,
  };
}
