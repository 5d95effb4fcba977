import type { ChatToolCall } from '@gateway/contracts';
import { encodeCompletion } from '../chat-response/encode-completion.js';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson, stringifyUpstreamJson } from '../failures/malformed-response.js';
import { OutputMeter } from '../metering/output-meter.js';
import type { ChatCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { messagesUsageOf } from './reported-usage.js';
import { finishReasonOf } from './stop-reason.js';
import { readMessagesUsage } from './usage.js';
import { messageReply, type ReplyBlock } from './wire.js';

/** Translates a whole message. Joins its text blocks and its thinking blocks; skips server tool blocks. */
export function readReply(body: Uint8Array, call: ChatCall): UpstreamReply {
  const json = parseUpstreamJson(body);
  if (isJsonObject(json) && json.type === 'error') throw errorInResponse(json);
  const parsed = messageReply.safeParse(json);
  if (!parsed.success) throw malformedResponse();
  const message = parsed.data;
  const toolCalls = message.content.flatMap(toolCallOf);
  const text = joined(message.content, 'text');
  const reasoning = joined(message.content, 'thinking');
  const refusal = message.stop_reason === 'refusal' ? (message.stop_details?.explanation ?? null) : null;
  const reported = readMessagesUsage(message.usage);
  const counts = reported ?? estimate(call, `${text}${refusal ?? ''}`, reasoning, toolCalls);
  const head = { id: `chatcmpl-${message.id}`, created: call.createdSeconds, model: call.publicModel };
  const finishReason = finishReasonOf(message.stop_reason ?? '');
  return {
    body: encodeCompletion(head, { text: text || null, reasoning, refusal, toolCalls, finishReason }, counts),
    usage: messagesUsageOf(counts, reported === undefined, message.usage),
    upstreamId: message.id,
  };
}

const joined = (blocks: readonly ReplyBlock[], kind: 'text' | 'thinking'): string =>
  blocks.map((block) => (block.type === kind ? (block[kind] ?? '') : '')).join('');

function toolCallOf(block: ReplyBlock): ChatToolCall[] {
  if (block.type !== 'tool_use') return [];
  if (block.id === undefined || block.name === undefined) throw malformedResponse();
  const args = stringifyUpstreamJson(block.input ?? {});
  return [{ id: block.id, type: 'function', function: { name: block.name, arguments: args } }];
}

function estimate(call: ChatCall, text: string, reasoning: string, toolCalls: readonly ChatToolCall[]) {
  const meter = new OutputMeter(call.request);
  meter.addText(text);
  meter.addReasoning(reasoning);
  for (const { function: called } of toolCalls) meter.addText(called.name + called.arguments);
  return meter.estimate();
}
