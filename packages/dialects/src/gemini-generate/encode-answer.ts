import type { AnswerFrame, AnswerPart, MediaPart, NeutralAnswer, ReasoningPart } from '@gateway/contracts';
import { argsOf, citationMetadataOf, finishReasonOf, identityOf, usageMetadataOf } from './answer-frame.js';
import type { GenerateView } from './decode-request.js';
import { signatureOf } from './thought-signature.js';

/** Encodes one whole response with one candidate. */
export function encodeAnswer(answer: NeutralAnswer, frame: AnswerFrame<GenerateView>): Uint8Array {
  const citations = answer.content.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : []));
  const candidate = {
    content: { role: 'model', parts: partsOf(answer.content, frame.view) },
    finishReason: finishReasonOf(answer.finish),
    index: 0,
    ...citationMetadataOf(citations),
  };
  const response = {
    candidates: [candidate],
    usageMetadata: usageMetadataOf(answer.counts),
    ...identityOf(answer.id, frame),
  };
  return Buffer.from(JSON.stringify(response));
}

function partsOf(content: readonly AnswerPart[], view: GenerateView): readonly object[] {
  const parts: object[] = [];
  let thoughts: ReasoningPart[] = [];
  for (const part of content) {
    if (part.type === 'reasoning') {
      thoughts.push(part);
      if (view.includesThoughts && part.text !== '') parts.push({ text: part.text, thought: true });
    } else if (part.type === 'tool-call') {
      const signature = signatureOf({ thoughts, vendor: part.vendor });
      thoughts = [];
      parts.push({ functionCall: callOf(part), ...(signature !== undefined && { thoughtSignature: signature }) });
    } else parts.push(...visiblePart(part));
  }
  const signature = signatureOf({ thoughts });
  return signature === undefined ? parts : [...parts, { text: '', thoughtSignature: signature }];
}

const callOf = ({ id, name, input, kind }: Extract<AnswerPart, { type: 'tool-call' }>): object => ({
  id,
  name,
  args: kind === 'custom' ? { input } : argsOf(input),
});

function visiblePart(part: Exclude<AnswerPart, { type: 'reasoning' | 'tool-call' }>): readonly object[] {
  if (part.type === 'text' || part.type === 'refusal') return part.text === '' ? [] : [{ text: part.text }];
  return part.type === 'media' ? mediaPart(part) : [];
}

export function mediaPart({ source, mediaType = 'application/octet-stream' }: MediaPart): readonly object[] {
  if (source.kind === 'base64') return [{ inlineData: { mimeType: mediaType, data: source.data } }];
  return source.kind === 'url' ? [{ fileData: { mimeType: mediaType, fileUri: source.url } }] : [];
}
