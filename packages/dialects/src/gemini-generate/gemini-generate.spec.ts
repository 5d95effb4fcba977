import type { AnswerFrame, NeutralAnswer, StreamPart, VendorData } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { GenerateView } from './decode-request.js';
import { geminiGenerate } from './index.js';

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const decode = (body: object, framing?: 'sse' | 'array') =>
  geminiGenerate.decodeRequest({ contents, ...body, stream: framing }).request;
const frameOf = (view: Partial<GenerateView> = {}): AnswerFrame<GenerateView> => ({
  publicModel: 'cl-sonnet-4-6',
  requestId: 'req_1',
  createdSeconds: 1,
  nowSeconds: () => 1_800_000_000,
  view: { framing: undefined, includesThoughts: true, ...view },
});
const counts = { promptTokens: 9, cachedTokens: 4, completionTokens: 7, reasoningTokens: 2 };
const signed: VendorData = { protocol: 'anthropic-messages', data: { signature: 's1' } };

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: object };
}
interface Answer {
  readonly candidates: readonly [
    { readonly content: { readonly parts: readonly Part[] }; readonly finishReason?: string },
  ];
}

const answer: NeutralAnswer = {
  id: 'msg_1',
  content: [
    { type: 'reasoning', text: 'Hm.', vendor: signed },
    { type: 'text', text: 'Look:', citations: [{ url: 'https://a.example', start: 0, end: 5 }] },
    { type: 'tool-call', id: 'call_1', name: 'f', kind: 'function', input: '{"a":1}', path: '' },
    { type: 'tool-call', id: 'call_2', name: 'g', kind: 'function', input: 'broken', path: '' },
  ],
  finish: 'tool-calls',
  counts,
};
const encoded = (): Answer => JSON.parse(Buffer.from(geminiGenerate.encodeAnswer(answer, frameOf())).toString());

describe('a request in Google’s format', () => {
  it('is read in either spelling', () => {
    const config = { max_output_tokens: 9, stop_sequences: ['x'], thinking_config: { thinking_budget: 0 } };
    expect(decode({ generation_config: config, system_instruction: { parts: [{ text: 'Be terse.' }] } })).toMatchObject(
      {
        messages: [
          { role: 'system', content: [{ text: 'Be terse.' }] },
          { role: 'user', content: [{ text: 'Hi' }] },
        ],
        settings: { maxOutputTokens: 9, stop: ['x'], effort: 'none' },
        streams: false,
      },
    );
    expect(decode({}, 'array').streams).toBe(true);
  });

  it.each([
    [{ thinkingBudget: -1 }, undefined],
    [{ thinkingBudget: 1_024 }, 'low'],
    [{ thinkingBudget: 24_576 }, 'high'],
    [{ thinkingLevel: 'HIGH' }, 'high'],
  ])('asks for an effort by %j', (thinkingConfig, effort) => {
    expect(decode({ generationConfig: { thinkingConfig } }).settings.effort).toBe(effort);
  });

  it('gives its schemas the form of JSON Schema, and keeps the names of properties', () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING', nullable: true },
        list: { type: 'ARRAY', minItems: '1', items: { type: 'INTEGER' } },
      },
      propertyOrdering: ['type'],
    };
    const tools = [{ functionDeclarations: [{ name: 'f', parameters }, { name: 'g' }] }, { codeExecution: {} }];
    expect(decode({ tools }).tools).toEqual([
      {
        type: 'function',
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            type: { type: ['string', 'null'] },
            list: { type: 'array', minItems: 1, items: { type: 'integer' } },
          },
        },
      },
      { type: 'function', name: 'g', parameters: { type: 'object', properties: {} } },
      { type: 'vendor', dialect: 'gemini-generate', tool: { codeExecution: {} }, path: 'tools[1].codeExecution' },
    ]);
  });

  it.each([
    [
      { mode: 'ANY', allowedFunctionNames: ['f'] },
      { type: 'tool', name: 'f', kind: 'function' },
    ],
    [{ mode: 'ANY' }, { type: 'required' }],
    [{ mode: 'NONE' }, { type: 'none' }],
    [{ mode: 'AUTO' }, { type: 'auto' }],
    [
      { mode: 'VALIDATED', allowed_function_names: ['f', 'g'] },
      { type: 'allowed', names: ['f', 'g'], isRequired: false },
    ],
  ])('chooses tools by %j', (functionCallingConfig, choice) => {
    expect(decode({ toolConfig: { functionCallingConfig } }).toolChoice).toEqual(choice);
  });

  it('finds the call of a result by its id, else by its name, in order', () => {
    const call = (name: string, id?: string) => ({ functionCall: { name, args: {}, id } });
    const result = (name: string, response: object, id?: string) => ({ functionResponse: { name, response, id } });
    const turns = [
      ...contents,
      { role: 'model', parts: [call('f'), call('f'), call('g', 'x')] },
      { role: 'user', parts: [result('g', { error: 'no' }, 'x'), result('f', { output: '1' }), result('f', { a: 2 })] },
    ];
    expect(decode({ contents: turns }).messages[2]).toMatchObject({
      role: 'tool',
      content: [
        { id: 'x', isError: true, content: [{ text: 'no' }] },
        { id: 'call_0', content: [{ text: '1' }] },
        { id: 'call_1', content: [{ text: '{"a":2}' }] },
      ],
    });
    expect(() => decode({ contents: [{ parts: [result('f', {})] }] })).toThrow(
      expect.objectContaining({ details: { param: 'contents[0].parts[0].functionResponse' } }),
    );
  });

  // Goose sends numbers of its own as the names of results, and no ids.
  it('finds the call of a result with another name by its place in the turn', () => {
    const call = (name: string) => ({ functionCall: { name, args: {} } });
    const result = (name: string, output: string) => ({ functionResponse: { name, response: { output } } });
    const turns = [
      ...contents,
      { role: 'model', parts: [call('f'), call('g'), call('h')] },
      { role: 'user', parts: [result('944d8580', 'of f'), result('g', 'of g')] },
      { role: 'user', parts: [result('5a1b0c7e', 'of h')] },
      { role: 'model', parts: [call('f')] },
      { role: 'user', parts: [result('0d2f9b11', 'of the second f')] },
    ];
    const results = decode({ contents: turns }).messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toMatchObject([
      [
        { id: 'call_0', content: [{ text: 'of f' }] },
        { id: 'call_1', content: [{ text: 'of g' }] },
      ],
      [{ id: 'call_2', content: [{ text: 'of h' }] }],
      [{ id: 'call_3', content: [{ text: 'of the second f' }] }],
    ]);
    expect(() => decode({ contents: [...turns, { role: 'user', parts: [result('one too many', '')] }] })).toThrow(
      expect.objectContaining({ details: { param: 'contents[6].parts[0].functionResponse' } }),
    );
  });

  // multi-llm-ts names the roles of a tool loop so.
  it('has the answers of an assistant, and results of a tool', () => {
    const { messages } = decode({
      contents: [
        ...contents,
        { role: 'assistant', parts: [{ text: 'Yes.' }, { functionCall: { name: 'f' } }] },
        { role: 'tool', parts: [{ functionResponse: { id: 'f', name: 'f', response: { a: 1 } } }] },
      ],
    });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('has media inline and by address', () => {
    const parts = [
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/b.pdf' } },
      { inlineData: { mimeType: 'text/plain', data: Buffer.from('Hé').toString('base64') } },
    ];
    expect(decode({ contents: [{ parts }] }).messages[0]?.content).toMatchObject([
      { type: 'media', media: 'image', source: { kind: 'base64', data: 'AAAA' }, path: 'contents[0].parts[0]' },
      { type: 'media', media: 'file', source: { kind: 'url' } },
      { type: 'text', text: 'Hé' },
    ]);
  });
});

describe('an answer in Google’s format', () => {
  it('has parts, counts and one reason to end', () => {
    expect(encoded()).toMatchObject({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'Hm.', thought: true },
              { text: 'Look:' },
              { functionCall: { id: 'call_1', name: 'f', args: { a: 1 } }, thoughtSignature: expect.any(String) },
              { functionCall: { id: 'call_2', name: 'g', args: {} } },
            ],
          },
          finishReason: 'STOP',
          citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 5, uri: 'https://a.example' }] },
        },
      ],
      usageMetadata: {
        promptTokenCount: 9,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 2,
        totalTokenCount: 16,
      },
      modelVersion: 'cl-sonnet-4-6',
      responseId: 'msg_1',
    });
  });

  it('returns the thoughts of another vendor by the signature of the call that they led to', () => {
    const { parts } = encoded().candidates[0].content;
    const turns = [...contents, { role: 'model', parts: parts.filter(({ thought }) => thought !== true) }];
    expect(decode({ contents: turns }).messages[1]?.content).toMatchObject([
      { type: 'text', text: 'Look:' },
      { type: 'reasoning', text: 'Hm.', vendor: signed },
      { type: 'tool-call', id: 'call_1', input: '{"a":1}' },
      { type: 'tool-call', id: 'call_2' },
    ]);
  });

  it('leaves the signatures of Google to Google', () => {
    const parts = [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2ln' }];
    const turns = [...contents, { role: 'model', parts }];
    expect(decode({ contents: turns }).messages[1]?.content).toMatchObject([
      { type: 'tool-call', vendor: { protocol: 'gemini-generate', data: { thoughtSignature: 'c2ln' } } },
    ]);
  });

  const PARTS: readonly StreamPart[] = [
    { type: 'reasoning', block: 0, delta: 'H' },
    { type: 'reasoning', block: 0, delta: 'm.' },
    { type: 'end', block: 0, of: 'reasoning', vendor: signed },
    { type: 'text', block: 1, delta: 'Look:' },
    { type: 'end', block: 1, of: 'text' },
    { type: 'tool-call', block: 2, id: 'call_1', name: 'f', kind: 'function' },
    { type: 'tool-input', block: 2, delta: '{"a"' },
    { type: 'tool-input', block: 2, delta: ':1}' },
    { type: 'end', block: 2, of: 'tool-call' },
    { type: 'finish', reason: 'tool-calls' },
  ];
  const streamed = (view: Partial<GenerateView>): string => {
    const encoder = geminiGenerate.openEncoder(frameOf(view));
    return encoder.open({ counts }) + PARTS.map((part) => encoder.part(part)).join('') + encoder.close(counts);
  };

  it('streams the same parts as events, or as one array', () => {
    const events = streamed({ framing: 'sse' })
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => JSON.parse(event.replace(/^data: /, '')) as Answer);
    expect(JSON.parse(streamed({ framing: 'array' }))).toEqual(events);
    const parts = events.flatMap(({ candidates }) => candidates[0].content.parts);
    expect(parts).toMatchObject([
      { text: 'H', thought: true },
      { text: 'm.', thought: true },
      { text: 'Look:' },
      {
        functionCall: { id: 'call_1', args: { a: 1 } },
        thoughtSignature: encoded().candidates[0].content.parts[2]?.thoughtSignature,
      },
      { text: '' },
    ]);
    expect(events.map(({ candidates }) => candidates[0].finishReason).filter(Boolean)).toEqual(['STOP']);
    expect(events.at(-1)).toMatchObject({ usageMetadata: { totalTokenCount: 16 }, responseId: 'req_1' });
  });

  it('has counts in every event, as the vendor: strict clients lose the text of an event without them', () => {
    const events = streamed({ framing: 'array' });
    const totals = (JSON.parse(events) as { usageMetadata?: { totalTokenCount: number } }[]).map(
      ({ usageMetadata }) => usageMetadata?.totalTokenCount,
    );
    expect(totals).toEqual([0, 0, 0, 0, 16]);
  });

  it('shows thoughts only to a client that asks for them, and returns them nevertheless', () => {
    const hidden = streamed({ framing: 'sse', includesThoughts: false });
    expect(hidden).not.toContain('"thought":true');
    expect(hidden).toContain('thoughtSignature');
  });
});
