import { describe, expect, it } from '@jest/globals';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();

const call = (method: string, body: object, key = 'channel-a') =>
  fetch(`${url}/gemini/v1beta/models/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === '' ? {} : { 'x-goog-api-key': key }) },
    body: JSON.stringify(body),
  });

const userTurn = (text: string, more: object = {}) => ({ contents: [{ role: 'user', parts: [{ text }] }], ...more });

interface Chunk {
  candidates: { content: { parts: { text: string; thought?: boolean }[] }; finishReason?: string }[];
  usageMetadata: Record<string, number>;
}

const chunksOf = async (response: Response): Promise<Chunk[]> =>
  (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((frame) => JSON.parse(frame.replace(/^data: /, '')) as Chunk);

const tools = [
  { functionDeclarations: [{ name: 'w', parameters: { type: 'OBJECT', properties: { c: { type: 'STRING' } } } }] },
];

describe('generateContent', () => {
  it('counts thoughts apart from candidates', async () => {
    const body = userTurn('Hello', {
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } },
    });
    const completion = await (await call('gemini-2.5-pro:generateContent', body)).json();
    expect(completion).toMatchObject({
      candidates: [
        {
          content: { role: 'model', parts: [{ thought: true }, { text: 'I received 5 bytes. You said: Hello' }] },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 11, thoughtsTokenCount: 32, totalTokenCount: 45 },
      modelVersion: 'gemini-2.5-pro',
    });
  });

  it('streams cumulative usage and finishes on the last chunk', async () => {
    const body = userTurn('{{sim chunks=3 chunk_bytes=8 reasoning_tokens=5}}');
    const chunks = await chunksOf(await call('gemini-2.5-flash:streamGenerateContent?alt=sse', body));
    expect(chunks.map((chunk) => chunk.usageMetadata.candidatesTokenCount)).toEqual([2, 4, 6, 6]);
    expect(chunks.at(-1)?.usageMetadata).toMatchObject({ thoughtsTokenCount: 5, totalTokenCount: 16 + 6 + 5 });
    expect(chunks.map((chunk) => chunk.candidates[0]?.finishReason)).toEqual([undefined, undefined, undefined, 'STOP']);
  });

  it('calls a function and responds with text after its result', async () => {
    const requested = userTurn('Use the tool', { tools });
    const first = await (await call('gemini-2.5-flash:generateContent', requested)).json();
    const part = { functionCall: { name: 'w', args: { c: 'c 1' } } };
    expect(first).toMatchObject({ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] });
    const response = { functionResponse: { name: 'w', response: { output: '12C' } } };
    const contents = [...requested.contents, { role: 'model', parts: [part] }, { role: 'user', parts: [response] }];
    const second = await (await call('gemini-2.5-flash:generateContent', { ...requested, contents })).json();
    expect(second).toMatchObject({ candidates: [{ content: { parts: [{ text: 'The tool answered: 12C.' }] } }] });
  });

  it('returns JSON for the schema, in either spelling', async () => {
    const schema = { type: 'OBJECT', properties: { n: { type: 'INTEGER' } } };
    const config = { response_mime_type: 'application/json', response_schema: schema };
    const completion = await (
      await call('gemini-2.5-flash:generateContent', userTurn('x', { generation_config: config }))
    ).json();
    expect(completion).toMatchObject({ candidates: [{ content: { parts: [{ text: '{"n":1}' }] } }] });
  });

  it('reads a schema in snake_case at every depth, with the names of its properties', async () => {
    const schema = {
      type: 'OBJECT',
      properties: { first_name: { any_of: [{ type: 'STRING', min_length: 1, max_length: 5 }] } },
      property_ordering: ['first_name'],
      required: ['first_name'],
    };
    const config = { response_mime_type: 'application/json', response_schema: schema };
    const parameters = [{ function_declarations: [{ name: 'w', parameters: schema }] }];
    const json = await call('gemini-2.5-flash:generateContent', userTurn('x', { generation_config: config }));
    expect(await json.json()).toMatchObject({
      candidates: [{ content: { parts: [{ text: '{"first_name":"first"}' }] } }],
    });
    const asked = userTurn('Use the tool', { tools: parameters });
    expect(await (await call('gemini-2.5-flash:generateContent', asked)).json()).toMatchObject({
      candidates: [{ content: { parts: [{ functionCall: { name: 'w', args: { first_name: 'first' } } }] } }],
    });
  });

  it('answers an enum as plain text', async () => {
    const config = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['Oboe', 'Flute'] } };
    const completion = await (
      await call('gemini-2.5-flash:generateContent', userTurn('x', { generationConfig: config }))
    ).json();
    expect(completion).toMatchObject({ candidates: [{ content: { parts: [{ text: 'Oboe' }] } }] });
  });

  it('reads neighbours of one role as one turn', async () => {
    const called = (city: string, more = {}) => ({ functionCall: { name: 'w', args: { city } }, ...more });
    const result = { functionResponse: { name: 'w', response: { output: '12C' } } };
    const contents = [
      ...userTurn('x').contents,
      { role: 'model', parts: [{ text: 'Both.' }] },
      { role: 'model', parts: [called('a', { thoughtSignature: 'skip_thought_signature_validator' })] },
      { role: 'model', parts: [called('b')] },
      { role: 'user', parts: [result] },
      { role: 'user', parts: [result] },
    ];
    const { status } = await call('gemini-3.8-flash:generateContent', { contents, tools });
    expect(status).toBe(200);
    const unanswered = await call('gemini-3.8-flash:generateContent', { contents: contents.slice(0, -1), tools });
    expect(unanswered.status).toBe(400);
  });

  const invalidSchema = { type: 'object', additionalProperties: false };
  const endedByModel = [...userTurn('x').contents, { role: 'model', parts: [{ text: 'y' }] }];
  const signedBy = (thoughtSignature: string) => ({
    contents: [...userTurn('x').contents, { role: 'model', parts: [{ text: 'y', thoughtSignature }] }],
  });
  const unsigned = [
    ...userTurn('x').contents,
    { role: 'model', parts: [{ functionCall: { name: 'w', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'w', response: {} } }] },
  ];

  it.each<[model: string, body: object, words: string, code?: number, status?: string]>([
    ['gemini-9', userTurn('x'), 'models/gemini-9 is not found', 404, 'NOT_FOUND'],
    [
      'gemini-2.5-pro',
      userTurn('x', { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }),
      'Budget 0 is invalid',
    ],
    ['gemini-2.5-pro', userTurn('x', { messages: [] }), 'Unknown name "messages"'],
    ['gemini-2.5-pro', { contents: [] }, 'contents is not specified'],
    [
      'gemini-2.5-pro',
      userTurn('x', { tools: [{ functionDeclarations: [{ name: 'w', parameters: invalidSchema }] }] }),
      'Unknown name "additionalProperties"',
    ],
    ['gemini-3.8-flash', { contents: unsigned }, 'missing a thought_signature'],
    ['gemini-2.5-flash', { contents: unsigned.slice(1) }, 'function call turn comes immediately after a user turn'],
    ['gemini-3.8-flash', { contents: endedByModel }, 'Requests ending with a model turn are not supported.'],
    ['gemini-2.5-flash', signedBy('b3RoZXI='), 'Thought signature is not valid.'],
    ['gemini-3.8-flash', userTurn('x', { generationConfig: { presencePenalty: 0.5 } }), 'Penalty is not enabled'],
  ])('refuses at %s %j', async (model, body, words, code = 400, status = 'INVALID_ARGUMENT') => {
    const response = await call(`${model}:generateContent`, body);
    expect(response.status).toBe(code);
    expect(await response.json()).toMatchObject({ error: { code, status, message: expect.stringContaining(words) } });
  });

  it('accepts its own signatures, and stand-ins as text or base64', async () => {
    const standIns = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];
    const encoded = standIns.map((standIn) => Buffer.from(standIn).toString('base64'));
    for (const signature of ['c2ltdWxhdGVkLXRob3VnaHQtc2lnbmF0dXJl', ...standIns, ...encoded]) {
      expect((await call('gemini-2.5-flash:generateContent', signedBy(signature))).status).toBe(200);
    }
  });

  it.each([
    ['', 403, 'PERMISSION_DENIED'],
    ['bad-key', 400, 'INVALID_ARGUMENT'],
    ['is-broke', 429, 'RESOURCE_EXHAUSTED'],
  ])('refuses the credential "%s"', async (key, code, status) => {
    const response = await call('gemini-2.5-pro:generateContent', userTurn('x'), key);
    expect(response.status).toBe(code);
    expect(await response.json()).toMatchObject({ error: { code, status } });
  });

  it('has the retry delay in the error details', async () => {
    const response = await call('gemini-2.5-pro:generateContent', userTurn('{{sim status=429 retry_after=3}}'));
    const { error } = (await response.json()) as { error: { details: { retryDelay?: string }[] } };
    expect(error.details.at(-1)?.retryDelay).toBe('3s');
  });
});

it('counts tokens like a call', async () => {
  const body = { contents: [{ parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }] };
  expect(await (await call('gemini-2.5-pro:countTokens', body)).json()).toMatchObject({ totalTokens: 87 });
});
