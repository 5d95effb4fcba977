import type { ChatToolCall } from '@gateway/contracts';
import { encodeCompletion } from '../chat-response/encode-completion.js';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { OutputMeter } from '../metering/output-meter.js';
import { usageOf } from '../metering/token-counts.js';
import type { ChatCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { finishReasonOf } from './finish-reason.js';
import { readResponsesUsage } from './usage.js';
import { type ReplyItem, type ResponseObject, responseObject } from './wire.js';

/** Translates a whole response: message text, refusals, reasoning summaries and function calls. */
export function readReply(body: Uint8Array, call: ChatCall): UpstreamReply {
  const response = readResponse(parseUpstreamJson(body));
  const items = response.output ?? [];
  const text = joined(items, 'text');
  const refusal = joined(items, 'refusal');
  const reasoning = items.map(summaryOf).join('');
  const toolCalls = items.flatMap(toolCallOf);
  const meter = new OutputMeter(call.request);
  meter.addText(text + refusal + toolCalls.map(({ function: called }) => called.name + called.arguments).join(''));
  meter.addReasoning(reasoning);
  const reported = readResponsesUsage(response.usage, response.service_tier);
  const counts = reported ?? meter.estimate();
  const head = {
    id: `chatcmpl-${response.id}`,
    created: response.created_at ?? call.createdSeconds,
    model: call.publicModel,
  };
  const finishReason = finishReasonOf(response, toolCalls.length > 0);
  return {
    body: encodeCompletion(
      head,
      { text: text || null, reasoning, refusal: refusal || null, toolCalls, finishReason },
      counts,
    ),
    usage: usageOf(counts, reported === undefined),
    upstreamId: response.id,
  };
}

/** Parses a completed or incomplete response. Throws its error, or `upstream_error` for any other status. */
function readResponse(json: unknown): ResponseObject {
  if (isJsonObject(json) && isJsonObject(json.error)) throw errorInResponse(json.error);
  const parsed = responseObject.safeParse(json);
  if (!parsed.success) throw malformedResponse();
  if (parsed.data.status !== 'completed' && parsed.data.status !== 'incomplete')
    throw errorInResponse(parsed.data.error);
  return parsed.data;
}

const joined = (items: readonly ReplyItem[], kind: 'text' | 'refusal'): string =>
  items
    .flatMap((item) => (item.type === 'message' ? (item.content ?? []) : []))
    .map((part) => part[kind] ?? '')
    .join('');

const summaryOf = (item: ReplyItem): string =>
  item.type === 'reasoning' ? (item.summary ?? []).map(({ text }) => text ?? '').join('') : '';

function toolCallOf(item: ReplyItem): ChatToolCall[] {
  if (item.type !== 'function_call') return [];
  return [{ id: item.call_id, type: 'function', function: { name: item.name, arguments: item.arguments ?? '{}' } }];
}
