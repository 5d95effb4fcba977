import type { AnswerFeature, AnswerPart, NeutralAnswer, StreamPart } from '@gateway/contracts';
import { MARK } from './matrix-requests.js';

const vendor = { protocol: 'gemini-generate', data: { thoughtSignature: MARK } } as const;
const call = { type: 'tool-call', id: 'c1', name: 'w', path: '' } as const;

/** An answer for each feature. Vendor data may arrive encoded, so its mark is looked for in decoded text as well. */
const CONTENT: Readonly<Record<AnswerFeature, readonly AnswerPart[]>> = {
  text: [{ type: 'text', text: MARK }],
  reasoning: [{ type: 'reasoning', text: MARK }],
  'reasoning-vendor-data': [{ type: 'reasoning', text: 'Hm', vendor }],
  'tool-calls': [{ ...call, kind: 'function', input: `{"a":"${MARK}"}` }],
  'tool-call-vendor-data': [{ ...call, kind: 'function', input: '{}', vendor }],
  'custom-tool-calls': [{ ...call, kind: 'custom', input: MARK }],
  refusal: [{ type: 'refusal', text: MARK }],
  citations: [{ type: 'text', text: 'As said', citations: [{ url: `https://${MARK}.example`, title: 'T' }] }],
  media: [{ type: 'media', media: 'image', source: { kind: 'base64', data: MARK }, clientType: '', path: '' }],
  'vendor-parts': [{ type: 'vendor', vendor: { protocol: 'gemini-generate', data: { code: MARK } } }],
  'stop-sequence': [{ type: 'text', text: 'As said' }],
};

export const ANSWER_FEATURES = Object.keys(CONTENT) as AnswerFeature[];

export const answerOf = (feature: AnswerFeature): NeutralAnswer => {
  const isCall = CONTENT[feature].some(({ type }) => type === 'tool-call');
  return {
    id: 'a1',
    content: CONTENT[feature],
    finish: isCall ? 'tool-calls' : 'stop',
    stopSequence: feature === 'stop-sequence' ? MARK : undefined,
    counts: { promptTokens: 3, cachedTokens: 0, completionTokens: 5, reasoningTokens: 0 },
  };
};

function eventsOf(part: AnswerPart, block: number): readonly StreamPart[] {
  switch (part.type) {
    case 'text': {
      const cited = (part.citations ?? []).map((citation): StreamPart => ({ type: 'citation', block, citation }));
      return [{ type: 'text', block, delta: part.text }, ...cited, { type: 'end', block, of: 'text' }];
    }
    case 'reasoning': {
      const { text, vendor: data } = part;
      return [
        { type: 'reasoning', block, delta: text },
        { type: 'end', block, of: 'reasoning', vendor: data },
      ];
    }
    case 'refusal':
      return [
        { type: 'refusal', block, delta: part.text },
        { type: 'end', block, of: 'refusal' },
      ];
    case 'tool-call': {
      const { id, name, kind, input, vendor: data } = part;
      return [
        { type: 'tool-call', block, id, name, kind, vendor: data },
        { type: 'tool-input', block, delta: input },
        { type: 'end', block, of: 'tool-call' },
      ];
    }
    case 'media':
    case 'vendor':
      return [{ type: 'part', block, part }];
  }
}

/** The same answer as a stream. */
export const partsOf = ({ content, finish, stopSequence }: NeutralAnswer): readonly StreamPart[] => [
  ...content.flatMap(eventsOf),
  { type: 'finish', reason: finish, stopSequence },
];

/** True if the mark is in the text, as it is or in a member that is encoded as base64url. */
export const hasMark = (text: string): boolean =>
  text.includes(MARK) ||
  (text.match(/[A-Za-z0-9_-]{16,}/g) ?? []).some((word) =>
    [word, word.split('__extra__')[1] ?? ''].some((one) => Buffer.from(one, 'base64url').includes(MARK)),
  );
