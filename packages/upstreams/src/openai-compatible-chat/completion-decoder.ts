import { type AnswerPart, type Citation, isJsonObject, type NeutralFinish } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { objectAt, stringAt } from '../json/read-fields.js';
import { meterAnswer } from '../metering/meter-answer.js';
import { usageOf } from '../metering/token-counts.js';
import type { DecodedAnswer, NeutralCall } from '../protocol.js';
import { type ChatErrorRules, chatErrorInResponse } from './chat-errors.js';
import { readCompletionUsage } from './completion-usage.js';
import { type WireCompletion, wireCompletion } from './completion-wire.js';

type Message = WireCompletion['choices'][number]['message'];

const FINISHES: Readonly<Record<string, NeutralFinish>> = {
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'filtered',
};

/** Converts `finish_reason`; unknown reasons become `stop`. */
export const finishOf = (reason: string): NeutralFinish => FINISHES[reason] ?? 'stop';

/** Decodes a whole completion: reasoning, then text, then tool calls. */
export function decodeCompletion(body: Uint8Array, call: NeutralCall, rules: ChatErrorRules): DecodedAnswer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const json = parseUpstreamJson(bytes);
  if (isJsonObject(json) && json.error) throw chatErrorInResponse(bytes, rules);
  const parsed = wireCompletion.safeParse(json);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) throw malformedResponse();
  const { id, created, usage, service_tier: tier } = parsed.data;
  const content = contentOf(choice.message);
  const reported = readCompletionUsage(usage, tier);
  const counts = reported ?? meterAnswer(call.request, content).estimate();
  return {
    answer: {
      id,
      createdSeconds: typeof created === 'number' ? created : undefined,
      content,
      finish: finishOf(choice.finish_reason ?? ''),
      counts,
    },
    usage: usageOf(counts, reported === undefined),
    upstreamId: id,
  };
}

function contentOf(message: Message): readonly AnswerPart[] {
  const { content, reasoning_content: reasoning, refusal, tool_calls: calls } = message;
  const parts: AnswerPart[] = [];
  if (reasoning) parts.push({ type: 'reasoning', text: reasoning });
  if (content) {
    const citations = citationsOf(message.annotations);
    parts.push({ type: 'text', text: content, ...(citations.length > 0 && { citations }) });
  }
  if (refusal) parts.push({ type: 'refusal', text: refusal });
  calls?.forEach(({ id, function: called }, index) => {
    const { name, arguments: input } = called ?? {};
    const call = { type: 'tool-call', id: id ?? `call_${index}`, name: name ?? '', kind: 'function' } as const;
    parts.push({ ...call, input: input ?? '', path: '' });
  });
  return parts;
}

/** Reads `url_citation` annotations of a message or a delta. */
export function citationsOf(annotations: unknown): readonly Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.filter(isJsonObject).map((annotation): Citation => {
    const cited = objectAt(annotation, 'url_citation');
    const { start_index: start, end_index: end } = cited;
    return {
      url: stringAt(cited, 'url'),
      title: stringAt(cited, 'title'),
      ...(typeof start === 'number' && { start }),
      ...(typeof end === 'number' && { end }),
    };
  });
}
