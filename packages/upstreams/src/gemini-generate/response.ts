import { type AnswerPart, isJsonObject } from '@gateway/contracts';
import { BilledFailure } from '../failures/billed-failure.js';
import { malformedResponse, parseExactUpstreamJson } from '../failures/malformed-response.js';
import { meterAnswer } from '../metering/meter-answer.js';
import { usageOf } from '../metering/token-counts.js';
import type { DecodedAnswer, NeutralCall } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { brokenEnd, finishOf, isBrokenEnd } from './finish-reason.js';
import { toolCallOf } from './tool-call.js';
import { readPromptCounts, readUsageMetadata } from './usage.js';
import { type GenerateReply, generateReply, type ReplyPart } from './wire.js';

/** Decodes a whole response. A blocked prompt has no candidate and is filtered. */
export function decodeAnswer(body: Uint8Array, call: NeutralCall): DecodedAnswer {
  const reply = parseReply(parseExactUpstreamJson(body));
  const candidate = reply.candidates?.[0];
  const isBlocked = candidate === undefined && reply.promptFeedback?.blockReason != null;
  if (candidate === undefined && !isBlocked) throw malformedResponse();
  const content = contentOf(candidate?.content?.parts ?? [], call.requestId);
  const meter = meterAnswer(call.request, content);
  const reported = readUsageMetadata(reply.usageMetadata, meter.hasOutput);
  const counts = reported ?? meter.estimate(readPromptCounts(reply.usageMetadata));
  const usage = usageOf(counts, reported === undefined);
  const reason = candidate?.finishReason ?? '';
  const hasToolCalls = content.some(({ type }) => type === 'tool-call');
  const hasOutput = content.some(({ type }) => type !== 'reasoning');
  if (!isBlocked && isBrokenEnd(reason, hasOutput)) throw new BilledFailure(brokenEnd(), usage);
  const finish = isBlocked ? 'filtered' : finishOf(reason, hasToolCalls);
  const id = reply.responseId ?? undefined;
  return { answer: { id, content, finish, counts }, usage, upstreamId: id };
}

/** Parses a whole response or one stream event. Throws its reported error, or `upstream_error` if it is malformed. */
export function parseReply(json: unknown): GenerateReply {
  const bare: unknown = Array.isArray(json) ? json[0] : json;
  if (isJsonObject(bare) && isJsonObject(bare.error)) throw errorInResponse(bare);
  const parsed = generateReply.safeParse(json);
  if (!parsed.success) throw malformedResponse();
  return parsed.data;
}

/** Neighbouring texts are one part: the vendor cuts them anywhere. */
function contentOf(parts: readonly ReplyPart[], requestId: string): readonly AnswerPart[] {
  const content: AnswerPart[] = [];
  let callCount = 0;
  for (const part of parts) {
    const call = toolCallOf(part, requestId, callCount);
    if (call !== undefined) {
      callCount += 1;
      content.push({ type: 'tool-call', ...call, path: '' });
    } else if (part.text) addText(content, part.text, part.thought === true ? 'reasoning' : 'text');
  }
  return content;
}

function addText(content: AnswerPart[], text: string, type: 'text' | 'reasoning'): void {
  const last = content.at(-1);
  if (last?.type === type) content[content.length - 1] = { type, text: last.text + text };
  else content.push({ type, text });
}
