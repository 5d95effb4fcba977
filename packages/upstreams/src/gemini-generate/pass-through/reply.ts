import { isJsonObject, NO_USAGE } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../../failures/malformed-response.js';
import { replaceMember } from '../../json/replace-member.js';
import { readCount } from '../../metering/token-counts.js';
import type { PassThroughGenerateCall, UpstreamReply } from '../../protocol.js';
import { errorInResponse } from '../errors.js';
import { parseReply } from '../response.js';
import { GenerateMeter } from './meter.js';

/** Passes a response through with the public model name. Reads only its usage. */
export function readGenerateReply(body: Uint8Array, call: PassThroughGenerateCall): UpstreamReply {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const reply = parseReply(parseUpstreamJson(bytes));
  if (reply.candidates == null && reply.promptFeedback == null) throw malformedResponse();
  const meter = new GenerateMeter(call.body);
  meter.add(reply);
  return {
    body: replaceMember(bytes, ['modelVersion'], JSON.stringify(call.publicModel)),
    usage: meter.usage(true),
    upstreamId: reply.responseId ?? undefined,
  };
}

/** Passes a `countTokens` response through. It is free and holds no model name. */
export function readCountReply(body: Uint8Array): UpstreamReply {
  const json = parseUpstreamJson(body);
  if (isJsonObject(json) && isJsonObject(json.error)) throw errorInResponse(json);
  if (!isJsonObject(json) || readCount(json.totalTokens) === undefined) throw malformedResponse();
  return { body, usage: NO_USAGE, upstreamId: undefined };
}
