import type { AnswerFrame, AnswerPart, NeutralAnswer } from '@gateway/contracts';
import { compactionOf } from './compaction-item.js';
import type { ResponsesView } from './decode-request.js';
import {
  annotationOf,
  CALL_PREFIXES,
  type ContentPart,
  callItem,
  clientToolOf,
  imageItem,
  itemId,
  messageItem,
  outputText,
  reasoningItem,
} from './output-items.js';
import { endOf, responseObject } from './response-object.js';

type Content = Extract<AnswerPart, { type: 'text' | 'refusal' }>;

const isContent = (part: AnswerPart): part is Content => part.type === 'text' || part.type === 'refusal';

const contentPart = (part: Content): ContentPart =>
  part.type === 'refusal'
    ? { type: 'refusal', refusal: part.text }
    : outputText(part.text, (part.citations ?? []).map(annotationOf));

/** Encodes a whole response. Neighbouring texts are parts of one message. */
export function encodeAnswer(answer: NeutralAnswer, frame: AnswerFrame<ResponsesView>): Uint8Array {
  const { content, finish, counts, createdSeconds } = answer;
  const end = endOf(
    finish,
    content.some(({ type }) => type === 'refusal'),
  );
  if (frame.view.isCompaction) {
    const output = compactionOf(content, frame.requestId);
    return Buffer.from(JSON.stringify(responseObject(frame, createdSeconds, { ...end, output, counts })));
  }
  const output: object[] = [];
  for (let at = 0; at < content.length; ) {
    const run = content.slice(at);
    const texts = run.slice(0, lengthOfTexts(run));
    const id = (prefix: Parameters<typeof itemId>[0]) => itemId(prefix, frame.requestId, output.length);
    if (texts.length > 0) {
      const status = at + texts.length === content.length ? end.status : 'completed';
      output.push(messageItem(id('msg'), status, texts.filter(isContent).map(contentPart)));
    } else output.push(...otherItems(run[0] as AnswerPart, frame, id));
    at += Math.max(1, texts.length);
  }
  return Buffer.from(JSON.stringify(responseObject(frame, createdSeconds, { ...end, output, counts })));
}

function lengthOfTexts(parts: readonly AnswerPart[]): number {
  const other = parts.findIndex((part) => !isContent(part));
  return other === -1 ? parts.length : other;
}

function otherItems(
  part: AnswerPart,
  { view }: AnswerFrame<ResponsesView>,
  id: (prefix: Parameters<typeof itemId>[0]) => string,
): readonly object[] {
  if (part.type === 'reasoning') return [reasoningItem(id('rs'), part.text, part.vendor)];
  if (part.type === 'tool-call') {
    const tool = clientToolOf(part, view.clientTools);
    return [callItem(id(CALL_PREFIXES[tool.kind]), 'completed', part, part.input, tool)];
  }
  const image = part.type === 'media' ? imageItem(id('ig'), part) : undefined;
  return image === undefined ? [] : [image];
}
