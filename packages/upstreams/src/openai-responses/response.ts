import { type AnswerPart, type Citation, isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { meterAnswer } from '../metering/meter-answer.js';
import { usageOf } from '../metering/token-counts.js';
import type { DecodedAnswer, NeutralCall } from '../protocol.js';
import { citationOf } from './citation.js';
import { errorInResponse } from './errors.js';
import { finishOf } from './finish-reason.js';
import { summaryOf, vendorDataOf } from './reasoning.js';
import { readResponsesUsage } from './usage.js';
import { type ReplyItem, type ResponseObject, responseObject } from './wire.js';

/** Decodes a whole response, item by item. */
export function decodeAnswer(body: Uint8Array, call: NeutralCall): DecodedAnswer {
  const response = readResponse(parseUpstreamJson(body));
  const content = (response.output ?? []).flatMap(partsOf);
  const reported = readResponsesUsage(response.usage, response.service_tier);
  const counts = reported ?? meterAnswer(call.request, content).estimate();
  const hasToolCalls = content.some(({ type }) => type === 'tool-call');
  return {
    answer: {
      id: response.id,
      createdSeconds: response.created_at ?? undefined,
      content,
      finish: finishOf(response, hasToolCalls),
      counts,
    },
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

function partsOf(item: ReplyItem): readonly AnswerPart[] {
  switch (item.type) {
    case 'message':
      return (item.content ?? []).flatMap(messagePart);
    case 'reasoning': {
      const text = summaryOf(item);
      const vendor = vendorDataOf(item);
      return text === '' && vendor === undefined ? [] : [{ type: 'reasoning', text, vendor }];
    }
    case 'function_call':
      return [toolCall('function', item, item.arguments ?? '{}')];
    case 'custom_tool_call':
      return [toolCall('custom', item, item.input ?? '')];
    case 'other':
      return [{ type: 'vendor', vendor: { protocol: 'openai-responses', data: item.data } }];
  }
}

type Call = { readonly call_id: string; readonly name: string };

const toolCall = (kind: 'function' | 'custom', { call_id: id, name }: Call, input: string): AnswerPart => ({
  type: 'tool-call',
  id,
  name,
  kind,
  input,
  path: '',
});

type Content = NonNullable<Extract<ReplyItem, { type: 'message' }>['content']>[number];

function messagePart({ text, refusal, annotations }: Content): readonly AnswerPart[] {
  if (refusal) return [{ type: 'refusal', text: refusal }];
  if (!text) return [];
  const citations = (annotations ?? []).map(citationOf).filter((one): one is Citation => one !== undefined);
  return [{ type: 'text', text, ...(citations.length > 0 && { citations }) }];
}
