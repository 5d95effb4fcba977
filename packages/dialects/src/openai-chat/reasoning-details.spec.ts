import type { AnswerFrame, NeutralAnswer, ReasoningPart, StreamPart } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { openAiChat } from './index.js';
import { decodeReasoningDetails } from './reasoning-details.js';

const CLAUDE = 'anthropic-messages';
const PARTS: Readonly<Record<string, ReasoningPart>> = {
  'that Claude signed': { type: 'reasoning', text: 'Hm', vendor: { protocol: CLAUDE, data: { signature: 'c2ln' } } },
  'that Claude hides': { type: 'reasoning', text: '', vendor: { protocol: CLAUDE, data: { redacted: 'x9' } } },
  'that Claude signed and does not show': {
    type: 'reasoning',
    text: '',
    vendor: { protocol: CLAUDE, data: { signature: 'c2ln' } },
  },
  'of OpenAI': {
    type: 'reasoning',
    text: 'Sum',
    vendor: { protocol: 'openai-responses', data: { id: 'rs_1', encrypted_content: 'e' } },
  },
  'of Gemini': {
    type: 'reasoning',
    text: 'Ja',
    vendor: { protocol: 'gemini-generate', data: { thoughtSignature: 's' } },
  },
  'without a signature': { type: 'reasoning', text: 'Oh' },
};

const counts = { promptTokens: 3, cachedTokens: 0, completionTokens: 5, reasoningTokens: 2 };
const frame: AnswerFrame<{ includesUsage: boolean }> = {
  publicModel: 'cl-sonnet-4-6',
  requestId: 'req_abcdefghijklmnopqrstuvwxyz',
  createdSeconds: 1,
  nowSeconds: () => 1,
  view: { includesUsage: false },
};

type Message = Readonly<Record<string, unknown>>;
type Choice = Readonly<{ message: Message; delta: Message }>;
const choiceOf = (json: string): Choice => (JSON.parse(json) as { choices: [Choice] }).choices[0];

function wholeMessage(content: readonly ReasoningPart[]): Message {
  const answer: NeutralAnswer = {
    id: 'a',
    content: [...content, { type: 'text', text: 'Hi' }],
    finish: 'stop',
    counts,
  };
  return choiceOf(Buffer.from(openAiChat.encodeAnswer(answer, frame)).toString('utf8')).message;
}

const eventsOf = ({ text, vendor }: ReasoningPart, block: number): readonly StreamPart[] => [
  ...Array.from(text, (delta): StreamPart => ({ type: 'reasoning', block, delta })),
  { type: 'end', block, of: 'reasoning', vendor },
];

function deltasOf(content: readonly ReasoningPart[]): readonly Message[] {
  const encoder = openAiChat.openEncoder(frame);
  const text = [encoder.open({ id: 'a', counts }), ...content.flatMap(eventsOf).map((part) => encoder.part(part))].join(
    '',
  );
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => choiceOf(json).delta);
}

const decoded = (reasoning_details: unknown) => {
  const messages = [{ role: 'assistant', content: 'Hi', reasoning_details }];
  const { request } = openAiChat.decodeRequest({ model: 'm', messages });
  return request.messages[0]?.content.filter(({ type }) => type === 'reasoning');
};

describe('reasoning of chat completions', () => {
  it.each(Object.entries(PARTS))('%s returns as it was, whole and streamed', (_, part) => {
    expect(decoded(wholeMessage([part]).reasoning_details)).toEqual([part]);
    const pieces = deltasOf([part]).flatMap(({ reasoning_details: details }) => details ?? []);
    expect(decoded(pieces)).toEqual([part]);
  });

  it('keeps its pieces apart, whole and streamed', () => {
    const parts = Object.values(PARTS);
    expect(decoded(wholeMessage(parts).reasoning_details)).toEqual(parts);
    expect(decoded(deltasOf(parts).flatMap(({ reasoning_details: details }) => details ?? []))).toEqual(parts);
  });

  it('has the words of OpenRouter, and its text also in the field that other clients read', () => {
    const { reasoning_content: text, reasoning_details: details } = wholeMessage(Object.values(PARTS).slice(0, 2));
    expect(text).toBe('Hm');
    expect(details).toEqual([
      { type: 'reasoning.text', text: 'Hm', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'x9', format: 'anthropic-claude-v1', index: 1 },
    ]);
    expect(deltasOf(Object.values(PARTS).slice(0, 1)).slice(1)).toEqual([
      { reasoning_content: 'H', reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0 }] },
      { reasoning_content: 'm', reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0 }] },
      {
        reasoning_details: [{ type: 'reasoning.text', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 }],
      },
    ]);
  });

  it('is read once if a client returns it in both fields', () => {
    const message = {
      role: 'assistant',
      content: 'Hi',
      ...wholeMessage([PARTS['that Claude signed'] as ReasoningPart]),
    };
    const { request } = openAiChat.decodeRequest({ model: 'm', messages: [message] });
    expect(request.messages[0]?.content.filter(({ type }) => type === 'reasoning')).toHaveLength(1);
  });

  it('is absent where a model shows none', () => {
    expect(wholeMessage([])).not.toHaveProperty('reasoning_details');
  });

  it.each([null, 'x', [null, 1, {}, { type: 'reasoning.server_tool_call' }]])('ignores %j', (details) => {
    expect(decodeReasoningDetails(details)).toEqual([]);
  });

  it('reads a summary, and pieces without an index as pieces of their own', () => {
    const text = { type: 'reasoning.text', text: 'a' };
    expect(decodeReasoningDetails([{ type: 'reasoning.summary', summary: 's' }, text, text])).toEqual([
      { type: 'reasoning', text: 's' },
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: 'a' },
    ]);
  });
});
