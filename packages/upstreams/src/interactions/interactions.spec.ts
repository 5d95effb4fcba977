import { GatewayError, interactionCreation, isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  changesInNamesOfInteraction,
  generateOfInteraction,
  InteractionStream,
  imageBodyOfInteraction,
  inNamesOfInteraction,
  interactionOfReply,
  streamOfInteraction,
} from './index.js';
import type { InteractionFrame } from './interaction-answer.js';

const generate = (fields: object) =>
  generateOfInteraction(interactionCreation.parse({ model: 'gm-2.5-flash', input: 'Hi', ...fields }));
const contentsOf = (input: unknown) => generate({ input }).request.contents;

function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return isGatewayError(error) ? error.details.param : error;
  }
  return 'no refusal';
}

describe('an interaction as a call of generateContent', () => {
  it.each<[string, unknown, unknown]>([
    ['a text', 'Hi', [{ role: 'user', parts: [{ text: 'Hi' }] }]],
    ['one content', { type: 'text', text: 'Hi' }, [{ role: 'user', parts: [{ text: 'Hi' }] }]],
    [
      'contents',
      [
        { type: 'text', text: 'See' },
        { type: 'image', data: 'aGk=', mime_type: 'image/png' },
        { type: 'document', uri: 'https://example.com/a.pdf', mime_type: 'application/pdf' },
      ],
      [
        {
          role: 'user',
          parts: [
            { text: 'See' },
            { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
            { fileData: { fileUri: 'https://example.com/a.pdf', mimeType: 'application/pdf' } },
          ],
        },
      ],
    ],
    [
      'steps of two calls at once',
      [
        { type: 'user_input', content: [{ type: 'text', text: 'Weather?' }] },
        { type: 'thought', signature: 'sig', summary: [{ type: 'text', text: 'Hm' }] },
        { type: 'function_call', id: 'c1', name: 'weather', arguments: { city: 'Rome' } },
        { type: 'function_call', id: 'c2', name: 'weather', arguments: { city: 'Oslo' } },
        { type: 'function_result', call_id: 'c1', result: '21' },
        { type: 'function_result', call_id: 'c2', result: 'broken', is_error: true },
      ],
      [
        { role: 'user', parts: [{ text: 'Weather?' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { id: 'c1', name: 'weather', args: { city: 'Rome' } }, thoughtSignature: 'sig' },
            { functionCall: { id: 'c2', name: 'weather', args: { city: 'Oslo' } } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'c1', name: 'weather', response: { output: '21' } } },
            { functionResponse: { id: 'c2', name: 'weather', response: { error: 'broken' } } },
          ],
        },
      ],
    ],
    [
      'results among the contents of a user',
      [
        { type: 'function_call', id: 'c1', name: 'f' },
        {
          type: 'user_input',
          content: [
            {
              type: 'function_result',
              call_id: 'c1',
              name: 'f',
              result: [
                { type: 'text', text: 'seen' },
                { type: 'image', data: 'aGk=', mime_type: 'image/png' },
              ],
            },
          ],
        },
      ],
      [
        { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: {} } }] },
        {
          role: 'user',
          parts: [
            {
              functionResponse: {
                id: 'c1',
                name: 'f',
                response: { output: 'seen' },
                parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
              },
            },
          ],
        },
      ],
    ],
    [
      'a signature after a text, and code that ran',
      [
        { type: 'code_execution_call', id: 'x', arguments: { code: '1+1', language: 'python' } },
        { type: 'code_execution_result', call_id: 'x', result: '2' },
        { type: 'model_output', content: [{ type: 'text', text: 'Two' }] },
        { type: 'thought', signature: 'sig' },
        { type: 'url_context_call', id: 'u', arguments: { urls: [] } },
        { type: 'user_input', content: [{ type: 'text', text: 'More' }] },
      ],
      [
        {
          role: 'model',
          parts: [
            { executableCode: { code: '1+1', language: 'PYTHON' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
            { text: 'Two' },
            { text: '', thoughtSignature: 'sig' },
          ],
        },
        { role: 'user', parts: [{ text: 'More' }] },
      ],
    ],
  ])('takes %s', (_, input, expected) => {
    expect(contentsOf(input)).toEqual(expected);
  });

  it('takes settings, tools and a format', () => {
    const { request } = generate({
      system_instruction: 'Be brief',
      tools: [
        { type: 'code_execution' },
        { type: 'function', name: 'f', description: 'F', parameters: { type: 'object' } },
      ],
      generation_config: {
        temperature: 0.5,
        top_k: 3,
        max_output_tokens: 9,
        stop_sequences: ['x'],
        thinking_level: 'low',
        thinking_summaries: 'auto',
        tool_choice: { allowed_tools: { mode: 'any', tools: ['f'] } },
      },
      response_format: [{ type: 'text', mime_type: 'application/json', schema: { type: 'object' } }],
    });
    expect(request).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      tools: [
        { functionDeclarations: [{ name: 'f', description: 'F', parametersJsonSchema: { type: 'object' } }] },
        { codeExecution: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        temperature: 0.5,
        topK: 3,
        maxOutputTokens: 9,
        stopSequences: ['x'],
        thinkingConfig: { thinkingLevel: 'low', includeThoughts: true },
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
      },
    });
  });

  it.each<[string, object, object | undefined]>([
    ['a mode', { tool_choice: 'none' }, { mode: 'NONE' }],
    [
      'names without a mode',
      { tool_choice: { allowed_tools: { tools: ['f'] } } },
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
    ],
    ['nothing', {}, undefined],
  ])('takes a choice of tools: %s', (_, config, calling) => {
    const { toolConfig } = generate({ generation_config: config }).request;
    expect(toolConfig).toEqual(calling && { functionCallingConfig: calling });
  });

  it('takes a schema without a type of format, as older clients send it', () => {
    const schema = { type: 'object', properties: {} };
    const { generationConfig } = generate({ response_format: schema, response_mime_type: 'application/json' }).request;
    expect(generationConfig).toEqual({ responseMimeType: 'application/json', responseJsonSchema: schema });
  });

  it.each<[string, object]>([
    ['input[1]', { input: [{ type: 'text', text: 'a' }, { type: 'thought' }] }],
    ['input[0].call_id', { input: [{ type: 'function_result', call_id: 'c', result: 'x' }] }],
    ['input.mime_type', { input: { type: 'image', data: 'aGk=' } }],
    ['input', { input: [{ type: 'thought' }] }],
    ['response_format', { response_format: { type: 'image' } }],
    ['tools[0].name', { tools: [{ type: 'function' }] }],
  ])('refuses %s by name', (param, fields) => {
    expect(refusalOf(() => generate(fields))).toBe(param);
  });
});

describe('names', () => {
  const { places } = generate({
    input: [{ type: 'user_input', content: [{ type: 'image', data: 'aGk=', mime_type: 'image/png' }] }],
    tools: [{ type: 'url_context' }, { type: 'function', name: 'f' }],
  });

  it.each([
    ['contents[0].parts[0]', 'input[0].content[0]'],
    ['contents[9]', 'input'],
    ['tools[1].urlContext', 'tools[0]'],
    ['tools[0].functionDeclarations[0].name', 'tools[1]'],
    ['generationConfig.maxOutputTokens', 'generation_config.max_output_tokens'],
    ['generationConfig.thinkingConfig.thinkingBudget', 'generation_config.thinking_level'],
    ['generationConfig.responseMimeType', 'response_format'],
    ['toolConfig.functionCallingConfig', 'generation_config.tool_choice'],
    ['model', 'model'],
  ])('of %s: %s', (name, own) => {
    expect(changesInNamesOfInteraction({ filled: { [name]: '1' }, dropped: [name] }, places)).toEqual({
      filled: { [own]: '1' },
      dropped: [own],
    });
  });

  it('of an error, in its words too', () => {
    const error = new GatewayError('invalid_request', "'contents[0].parts[0]': no.", { param: 'contents[0].parts[0]' });
    expect(inNamesOfInteraction(error, places)).toMatchObject({
      message: "'input[0].content[0]': no.",
      details: { param: 'input[0].content[0]' },
    });
  });
});

const frame: InteractionFrame = {
  id: 'int_a',
  idSuffix: 'a',
  publicModel: 'gm-2.5-flash',
  createdSeconds: 0,
  nowSeconds: () => 1,
  offsets: 'bytes',
  echoed: { previous_interaction_id: 'int_b' },
};

const reply = (...parts: readonly object[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: {
    promptTokenCount: 7,
    candidatesTokenCount: 19,
    thoughtsTokenCount: 32,
    totalTokenCount: 58,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 7 }],
  },
});
const whole = (json: object, more: Partial<InteractionFrame> = {}) =>
  JSON.parse(interactionOfReply(Buffer.from(JSON.stringify(json)), { ...frame, ...more }).toString()) as object;

describe('a response as an interaction', () => {
  it('has steps, status and usage', () => {
    const parts = [
      { text: 'Hm', thought: true },
      { text: 'Hello', thoughtSignature: 'sig' },
    ];
    expect(whole(reply(...parts))).toEqual({
      id: 'int_a',
      object: 'interaction',
      model: 'gm-2.5-flash',
      status: 'completed',
      created: '1970-01-01T00:00:00Z',
      updated: '1970-01-01T00:00:01Z',
      service_tier: 'standard',
      previous_interaction_id: 'int_b',
      steps: [
        { type: 'thought', summary: [{ type: 'text', text: 'Hm' }] },
        { type: 'model_output', content: [{ type: 'text', text: 'Hello' }] },
        { type: 'thought', signature: 'sig' },
      ],
      usage: {
        total_tokens: 58,
        total_input_tokens: 7,
        input_tokens_by_modality: [{ modality: 'text', tokens: 7 }],
        total_cached_tokens: 0,
        total_output_tokens: 19,
        total_tool_use_tokens: 0,
        total_thought_tokens: 32,
      },
    });
  });

  it('asks for action, and carries the signature of a call in the thought before it', () => {
    const call = { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'sig' };
    expect(whole(reply(call))).toMatchObject({
      status: 'requires_action',
      steps: [
        { type: 'thought', signature: 'sig' },
        { type: 'function_call', id: 'call_a0001', name: 'f', arguments: { a: 1 } },
      ],
    });
  });

  it.each([
    ['MAX_TOKENS', 'incomplete', undefined],
    ['SAFETY', 'failed', [{ code: 'blocked_by_safety', message: 'The answer was blocked: SAFETY.' }]],
    ['MALFORMED_FUNCTION_CALL', 'failed', [expect.objectContaining({ code: 'malformed_function_call' })]],
  ])('ends by %s as %s', (finishReason, status, errors) => {
    const answer = whole({ candidates: [{ finishReason }] });
    expect(answer).toMatchObject({ status });
    expect((answer as { errors?: unknown }).errors).toEqual(errors);
  });

  it('fails if the prompt was blocked', () => {
    expect(whole({ promptFeedback: { blockReason: 'SAFETY' } })).toMatchObject({ status: 'failed', steps: [] });
  });

  it('has no id if it is not stored', () => {
    expect(whole(reply({ text: 'a' }), { id: undefined })).not.toHaveProperty('id');
  });

  it('shows what the vendor’s tools did', () => {
    const { candidates } = reply(
      { executableCode: { code: '1+1', language: 'PYTHON' } },
      { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'no' } },
      { text: 'é read' },
    );
    const [candidate] = candidates;
    const url = 'https://example.com';
    const urlContextMetadata = {
      urlMetadata: [{ retrievedUrl: url, urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
    };
    const citationMetadata = { citationSources: [{ uri: url, startIndex: 1, endIndex: 2 }] };
    const json = { candidates: [{ ...candidate, urlContextMetadata, citationMetadata }] };
    expect(whole(json, { offsets: 'utf16' })).toMatchObject({
      steps: [
        { type: 'code_execution_call', id: 'code_a0001', arguments: { code: '1+1', language: 'python' } },
        { type: 'code_execution_result', call_id: 'code_a0001', result: 'no', is_error: true },
        {
          type: 'model_output',
          content: [{ annotations: [{ type: 'url_citation', url, start_index: 2, end_index: 3 }] }],
        },
        { type: 'url_context_call', id: 'url_a0002', arguments: { urls: [url] } },
        { type: 'url_context_result', call_id: 'url_a0002', result: [{ url, status: 'success' }] },
      ],
    });
  });
});

/** The data of the events, in their order. */
const dataOf = (text: string): readonly Readonly<Record<string, unknown>>[] =>
  [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Record<string, unknown>);

describe('a stream as events of an interaction', () => {
  const chunks = [
    { candidates: [{ content: { parts: [{ text: 'Hm', thought: true }] }, index: 0 }] },
    { candidates: [{ content: { parts: [{ text: 'Hel' }] }, index: 0 }] },
    { candidates: [{ content: { parts: [{ text: 'lo' }] }, index: 0 }] },
    reply({ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }),
  ];
  const bytes = Buffer.from(`: wait\n\n${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')}`);

  const streamed = (cut: number): string => {
    const stream = new InteractionStream(frame);
    const first = stream.read(bytes.subarray(0, cut)).toString();
    return first + stream.end(bytes.subarray(cut)).toString();
  };

  it('names and numbers them, and ends with the whole interaction', () => {
    const text = streamed(bytes.length);
    const events = dataOf(text);
    expect(events.map(({ event_type: type }) => type)).toEqual([
      ...['interaction.created', 'interaction.status_update'],
      ...['step.start', 'step.delta', 'step.stop'],
      ...['step.start', 'step.delta', 'step.delta', 'step.stop'],
      ...['step.start', 'step.delta', 'step.stop'],
      'interaction.completed',
    ]);
    expect(events.map(({ event_id: id }) => id)).toEqual(events.map((_, index) => String(index + 1)));
    expect(text.startsWith(': wait\n\nevent: interaction.created\n')).toBe(true);
    expect(text.endsWith('event: done\ndata: [DONE]\n\n')).toBe(true);
    expect(events.at(-1)).toMatchObject({
      interaction: {
        id: 'int_a',
        status: 'requires_action',
        steps: [
          { type: 'thought', summary: [{ text: 'Hm' }] },
          { type: 'model_output', content: [{ text: 'Hello' }] },
          { type: 'function_call', id: 'c1', arguments: { a: 1 } },
        ],
        usage: { total_tokens: 58 },
      },
    });
    expect(events[10]).toMatchObject({ index: 2, delta: { type: 'arguments_delta', arguments: '{"a":1}' } });
  });

  it('is the same, cut at every byte', () => {
    const expected = streamed(bytes.length);
    for (let cut = 0; cut < bytes.length; cut += 1) expect(streamed(cut)).toBe(expected);
  });
});

describe('an interaction with an image model', () => {
  it('has the contents of all steps as its input, and one format', () => {
    const image = { type: 'image', data: 'aGk=', mime_type: 'image/png' };
    const input = [
      { type: 'user_input', content: [{ type: 'text', text: 'A boat' }] },
      { type: 'thought', signature: 'x' },
      { type: 'model_output', content: [image] },
    ];
    const body = {
      model: 'm',
      input,
      stream: true,
      response_modalities: ['image'],
      response_format: [{ type: 'image', image_size: '512' }],
      previous_interaction_id: 'int_a',
    };
    expect(imageBodyOfInteraction(body, false)).toEqual({
      model: 'm',
      input: [{ type: 'text', text: 'A boat' }, image],
      response_format: { type: 'image', image_size: '512px' },
    });
    expect(imageBodyOfInteraction({ input: 'A boat', previous_interaction_id: 'v1_a' }, true)).toEqual({
      input: 'A boat',
      previous_interaction_id: 'v1_a',
    });
  });

  it('streams as events', () => {
    const image = { type: 'image', data: 'aGk=', mime_type: 'image/png' };
    const steps = [
      { type: 'thought', signature: 'x' },
      { type: 'model_output', content: [image] },
    ];
    const events = dataOf(streamOfInteraction(Buffer.from(JSON.stringify({ id: 'v1_a', status: 'completed', steps }))));
    expect(events.map(({ event_type: type, delta }) => (delta as { type?: string })?.type ?? type)).toEqual([
      ...['interaction.created', 'interaction.status_update', 'step.start', 'thought_signature', 'step.stop'],
      ...['step.start', 'image', 'step.stop', 'interaction.completed'],
    ]);
    expect(events.map(({ event_id: id }) => Number(id))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
