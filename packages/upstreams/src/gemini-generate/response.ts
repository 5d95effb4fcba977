import { encodeCompletion } from '../chat-response/encode-completion.js';
import { BilledFailure } from '../failures/billed-failure.js';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { OutputMeter } from '../metering/output-meter.js';
import { usageOf } from '../metering/token-counts.js';
import type { ChatCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { brokenEnd, finishReasonOf, isBrokenEnd } from './finish-reason.js';
import { type SignedToolCall, toolCallOf } from './tool-call.js';
import { readPromptCounts, readUsageMetadata } from './usage.js';
import { type GenerateReply, generateReply, type ReplyPart } from './wire.js';

/** Translates a whole response. A blocked prompt has no candidate and finishes with `content_filter`. */
export function readReply(body: Uint8Array, call: ChatCall): UpstreamReply {
  const reply = parseReply(parseUpstreamJson(body));
  const candidate = reply.candidates?.[0];
  const isBlocked = candidate === undefined && reply.promptFeedback?.blockReason != null;
  if (candidate === undefined && !isBlocked) throw malformedResponse();
  const parts = candidate?.content?.parts ?? [];
  const text = joined(parts, false);
  const reasoning = joined(parts, true);
  const toolCalls = toolCallsOf(parts, call.requestId);
  const meter = new OutputMeter(call.request);
  meter.addText(text + toolCalls.map(({ function: called }) => called.name + called.arguments).join(''));
  meter.addReasoning(reasoning);
  const reported = readUsageMetadata(reply.usageMetadata, meter.hasOutput);
  const counts = reported ?? meter.estimate(readPromptCounts(reply.usageMetadata));
  const usage = usageOf(counts, reported === undefined);
  const hasOutput = text !== '' || toolCalls.length > 0;
  if (!isBlocked && isBrokenEnd(candidate?.finishReason ?? '', hasOutput)) throw new BilledFailure(brokenEnd(), usage);
  const finishReason = isBlocked
    ? 'content_filter'
    : finishReasonOf(candidate?.finishReason ?? '', toolCalls.length > 0);
  const head = {
    id: `chatcmpl-${reply.responseId ?? call.requestId}`,
    created: call.createdSeconds,
    model: call.publicModel,
  };
  return {
    body: encodeCompletion(head, { text: text || null, reasoning, toolCalls, finishReason }, counts),
    usage,
    upstreamId: reply.responseId ?? undefined,
  };
}

/** Parses a whole response or one stream event. Throws its reported error, or `upstream_error` if it is malformed. */
export function parseReply(json: unknown): GenerateReply {
  const bare: unknown = Array.isArray(json) ? json[0] : json;
  if (isJsonObject(bare) && isJsonObject(bare.error)) throw errorInResponse(bare);
  const parsed = generateReply.safeParse(json);
  if (!parsed.success) throw malformedResponse();
  return parsed.data;
}

const joined = (parts: readonly ReplyPart[], isThought: boolean): string =>
  parts.map((part) => ((part.thought === true) === isThought ? (part.text ?? '') : '')).join('');

function toolCallsOf(parts: readonly ReplyPart[], requestId: string): readonly SignedToolCall[] {
  const calls: SignedToolCall[] = [];
  for (const part of parts) {
    const call = toolCallOf(part, requestId, calls.length);
    if (call !== undefined) calls.push(call);
  }
  return calls;
}
