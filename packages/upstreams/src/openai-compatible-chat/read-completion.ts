import { chatUsageOf, isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { findTopMember } from '../json/replace-member.js';
import { estimateInputTokens } from '../metering/estimate-input-tokens.js';
import { OutputMeter } from '../metering/output-meter.js';
import { type TokenCounts, usageOf } from '../metering/token-counts.js';
import type { ChatCall, UpstreamReply } from '../protocol.js';
import { type ChatErrorRules, chatErrorInResponse } from './chat-errors.js';
import { hasUsageDetails, readCompletionUsage } from './completion-usage.js';
import { type WireCompletion, wireCompletion } from './completion-wire.js';

/** Passes a `chat.completion` through. Replaces `model`, and completes `usage` if the upstream omits a count. */
export function readCompletion(body: Uint8Array, call: ChatCall, rules: ChatErrorRules): UpstreamReply {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const json = parseUpstreamJson(bytes);
  if (isJsonObject(json) && json.error) throw chatErrorInResponse(bytes, rules);
  const parsed = wireCompletion.safeParse(json);
  if (!parsed.success) throw malformedResponse();
  const reply = parsed.data;
  const reported = readCompletionUsage(reply.usage, reply.service_tier);
  const counts = reported ?? estimateOf(reply, call);
  return {
    body:
      reported !== undefined && hasUsageDetails(reply.usage)
        ? withModel(bytes, call.publicModel)
        : withUsage(json, counts, call.publicModel),
    usage: usageOf(counts, reported === undefined),
    upstreamId: reply.id,
  };
}

function withModel(bytes: Buffer, publicModel: string): Uint8Array {
  const model = JSON.stringify(publicModel);
  const range = findTopMember(bytes, 'model');
  if (range === undefined) {
    const inside = bytes.indexOf('{') + 1;
    return Buffer.concat([bytes.subarray(0, inside), Buffer.from(`"model":${model},`), bytes.subarray(inside)]);
  }
  if (bytes.toString('utf8', range.start, range.end) === model) return bytes;
  return Buffer.concat([bytes.subarray(0, range.start), Buffer.from(model), bytes.subarray(range.end)]);
}

function withUsage(json: unknown, counts: TokenCounts, model: string): Uint8Array {
  const reply = json as Readonly<Record<string, unknown>>;
  return Buffer.from(JSON.stringify({ ...reply, model, usage: chatUsageOf(counts) }));
}

function estimateOf(reply: WireCompletion, call: ChatCall): TokenCounts {
  const meter = new OutputMeter(estimateInputTokens(call.request));
  for (const { message } of reply.choices) {
    meter.addText(message.content ?? '');
    meter.addText(message.refusal ?? '');
    meter.addReasoning(message.reasoning_content ?? '');
    for (const { function: called } of message.tool_calls ?? []) {
      meter.addText(called?.name ?? '');
      meter.addText(called?.arguments ?? '');
    }
  }
  return meter.estimate();
}
