import { estimateTokens, isJsonObject, NO_USAGE, textSize } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, stringifyUpstreamJson } from '../../failures/malformed-response.js';
import { replaceMember } from '../../json/replace-member.js';
import { readCount, type TokenCounts } from '../../metering/token-counts.js';
import type { PassThroughMessagesCall, UpstreamReply } from '../../protocol.js';
import { errorInResponse } from '../errors.js';
import { readMessagesUsage } from '../usage.js';
import { messageReply, type ReplyBlock } from '../wire.js';
import { estimatePrompt, nativeUsageOf } from './usage.js';

/** Passes a message through with the public model name. Reads only its usage. */
export function readMessagesReply(body: Uint8Array, call: PassThroughMessagesCall): UpstreamReply {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const json = parseUpstreamJson(bytes);
  if (isJsonObject(json) && json.type === 'error') throw errorInResponse(json);
  const parsed = messageReply.safeParse(json);
  if (!parsed.success) throw malformedResponse();
  const message = parsed.data;
  const reported = readMessagesUsage(message.usage);
  const counts = reported ?? estimateReply(message.content, call);
  return {
    body: replaceMember(bytes, ['model'], JSON.stringify(call.publicModel)),
    usage: nativeUsageOf(counts, reported === undefined, message.usage),
    upstreamId: message.id,
  };
}

/** Passes a `count_tokens` response through. It is free and holds no model name. */
export function readCountReply(body: Uint8Array): UpstreamReply {
  const json = parseUpstreamJson(body);
  if (isJsonObject(json) && json.type === 'error') throw errorInResponse(json);
  if (!isJsonObject(json) || readCount(json.input_tokens) === undefined) throw malformedResponse();
  return { body, usage: NO_USAGE, upstreamId: undefined };
}

function estimateReply(blocks: readonly ReplyBlock[], call: PassThroughMessagesCall): TokenCounts {
  let size = 0;
  for (const { text = '', thinking = '', name = '', input } of blocks) {
    size += textSize(text + thinking + name);
    if (input !== undefined) size += textSize(stringifyUpstreamJson(input));
  }
  return { ...estimatePrompt(call.body), completionTokens: estimateTokens(size), reasoningTokens: 0 };
}
