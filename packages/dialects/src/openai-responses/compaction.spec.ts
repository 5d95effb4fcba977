import type { NeutralAnswer } from '@gateway/contracts';
import { packCompaction, unpackCompaction } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { openAiCompaction } from './compaction.js';
import { openAiResponses } from './index.js';

const counts = { promptTokens: 9, cachedTokens: 0, completionTokens: 3, reasoningTokens: 0 };
const answerOf = (text: string): NeutralAnswer => ({
  content: text === '' ? [] : [{ type: 'text', text }],
  finish: 'stop',
  counts,
});
const user = { type: 'message', role: 'user', content: 'Build it' } as const;
const assistant = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Built' }] } as const;
const call = { type: 'function_call', call_id: 'c1', name: 'run', arguments: '{}' } as const;
const result = { type: 'function_call_output', call_id: 'c1', output: 'ok' } as const;
const tools = [{ type: 'function', name: 'run' }];
const trigger = { type: 'compaction_trigger' };

function compact(input: unknown, text: string) {
  const { request, view } = openAiCompaction.decodeRequest({ model: 'm', input, tools, max_output_tokens: 5 });
  const frame = { publicModel: 'm', requestId: `req_${'a'.repeat(26)}`, createdSeconds: 7, nowSeconds: () => 9, view };
  return { request, body: JSON.parse(Buffer.from(openAiCompaction.encodeAnswer(answerOf(text), frame)).toString()) };
}

describe('a compaction by a model without one', () => {
  it('asks for a summary, with the tools of the conversation but no call of them', () => {
    const { request } = compact([user, call, result], 'S');
    expect(request).toMatchObject({ toolChoice: { type: 'none' }, tools: [{ name: 'run' }], streams: false });
    expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(request.settings.maxOutputTokens).toBeUndefined();
  });

  it('keeps what was said to the model, and the summary stands for the rest', () => {
    const { body } = compact([user, assistant, call, result], ' They built it. ');
    expect(body).toMatchObject({ id: `resp_${'a'.repeat(26)}`, object: 'response.compaction', created_at: 7 });
    expect(body.output).toEqual([
      {
        ...user,
        id: expect.stringMatching(/^msg_/),
        status: 'completed',
        content: [{ type: 'input_text', text: 'Build it' }],
      },
      { type: 'compaction', id: expect.stringMatching(/^cmp_/), encrypted_content: packCompaction('They built it.') },
    ]);
    expect(body.usage).toMatchObject({ input_tokens: 9, output_tokens: 3, total_tokens: 12 });
  });

  it('returns the whole input without a summary, so that nothing is lost', () => {
    expect(compact([user, assistant], '').body.output).toEqual([user, assistant]);
    expect(compact('Hi', '').body.output).toEqual([{ type: 'message', role: 'user', content: 'Hi' }]);
  });

  it('is read by the next request, instead of an earlier one', () => {
    const first = compact([user, assistant], 'First').body.output;
    const { request, body } = compact([...first, user], 'Second');
    expect(JSON.stringify(request.messages)).toContain('First');
    expect(body.output[0]).toEqual(first[0]);
    expect(body.output.filter(({ type }: { type?: string }) => type === 'compaction')).toHaveLength(1);
  });
});

describe('a response whose input ends with a trigger', () => {
  const decoded = () => openAiResponses.decodeRequest({ model: 'm', input: [user, trigger], stream: true });
  const frameOf = () => ({
    publicModel: 'm',
    requestId: 'req_b',
    createdSeconds: 7,
    nowSeconds: () => 9,
    view: decoded().view,
  });

  it('is one compaction', () => {
    const body = JSON.parse(Buffer.from(openAiResponses.encodeAnswer(answerOf('S'), frameOf())).toString());
    expect(body).toMatchObject({ object: 'response', status: 'completed', output: [{ type: 'compaction' }] });
    expect(unpackCompaction(body.output[0].encrypted_content)).toBe('S');
  });

  it('is one compaction in a stream, whole', () => {
    const encoder = openAiResponses.openEncoder(frameOf());
    const text =
      encoder.open({ counts }) +
      encoder.part({ type: 'reasoning', block: 0, delta: 'Hm' }) +
      encoder.part({ type: 'text', block: 1, delta: 'S' }) +
      encoder.part({ type: 'finish', reason: 'stop' }) +
      encoder.close(counts);
    expect(text.match(/^event: .*$/gm)).toEqual(
      ['created', 'in_progress', 'output_item.added', 'output_item.done', 'completed'].map(
        (name) => `event: response.${name}`,
      ),
    );
    expect(text).toContain(packCompaction('S'));
  });

  it('is an answer if the trigger is in the past', () => {
    const { request, view } = openAiResponses.decodeRequest({ model: 'm', input: [trigger, user] });
    expect(view.isCompaction).toBe(false);
    expect(request.messages).toHaveLength(1);
  });
});
