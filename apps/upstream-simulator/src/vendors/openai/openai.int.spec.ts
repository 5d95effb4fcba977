import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();
const clientFor = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${url}/openai/v1`, maxRetries: 0 });
const client = clientFor('channel-a');

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

const user = (content: string) => [{ role: 'user' as const, content }];

describe('chat completions', () => {
  it('reports usage by the documented count', async () => {
    const completion = await client.chat.completions.create({ model: 'gpt-4o', messages: user('Hello') });
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'I received 5 bytes. You said: Hello', refusal: null },
    });
    expect(completion.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 11, total_tokens: 13 });
  });

  it('counts an image and hidden reasoning', async () => {
    const completion = await client.chat.completions.create({
      model: 'gpt-5.4',
      reasoning_effort: 'low',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look' },
            { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
          ],
        },
      ],
    });
    expect(completion.choices[0]?.message.content).toContain('1 image');
    expect(completion.usage).toMatchObject({ prompt_tokens: 87, completion_tokens_details: { reasoning_tokens: 16 } });
  });

  it('streams the requested chunks, then usage', async () => {
    const stream = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: user('{{sim chunks=4 chunk_bytes=8}}'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const contents: string[] = [];
    let usage: OpenAI.CompletionUsage | null | undefined;
    for await (const chunk of stream) {
      contents.push(chunk.choices[0]?.delta.content ?? '');
      usage = chunk.usage;
    }
    expect(contents.filter(Boolean)).toHaveLength(4);
    expect(contents.join('')).toHaveLength(32);
    expect(usage?.completion_tokens).toBe(8);
  });

  it.each([false, true])('calls two tools and then quotes their results (stream: %s)', async (isStream) => {
    const messages = user('Use the tool {{sim tools=2}}');
    const request = { model: 'gpt-4o', messages, tools: [weather] };
    const completion = isStream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    const message = completion.choices[0]?.message;
    const calls = message?.tool_calls ?? [];
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
    expect(calls.map((call) => call.type === 'function' && call.function.arguments)).toEqual([
      '{"city":"city 1"}',
      '{"city":"city 2"}',
    ]);
    const final = await client.chat.completions.create({
      model: 'gpt-4o',
      tools: [weather],
      messages: [
        ...messages,
        { role: 'assistant', content: null, tool_calls: calls },
        ...calls.map((call) => ({ role: 'tool' as const, tool_call_id: call.id, content: '12C' })),
      ],
    });
    expect(final.choices[0]?.message.content).toBe('The tool answered: 12C and 12C.');
  });

  it('returns JSON for the schema', async () => {
    const completion = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: user('A person'),
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'person',
          strict: true,
          schema: {
            type: 'object',
            properties: { name: { type: 'string' }, age: { type: 'integer' } },
            required: ['name', 'age'],
            additionalProperties: false,
          },
        },
      },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({ name: 'name 1', age: 1 });
  });

  it('takes sampling parameters with the effort none', async () => {
    const sampling = { temperature: 0.2, top_p: 0.5, logprobs: true } as const;
    const request = { model: 'gpt-5.4', messages: user('Hello'), reasoning_effort: 'none', ...sampling } as const;
    expect((await client.chat.completions.create(request)).choices).toHaveLength(1);
    const { status } = await client.responses.create({
      model: 'gpt-5.4-mini',
      input: 'Hello',
      reasoning: { effort: 'none' },
      temperature: 0.2,
      top_p: 0.5,
    });
    expect(status).toBe('completed');
    const reasoning = { ...request, reasoning_effort: 'low' } as const;
    await expect(client.chat.completions.create(reasoning)).rejects.toMatchObject({ param: 'temperature' });
    await expect(
      client.responses.create({
        model: 'gpt-5.4-mini',
        input: 'Hello',
        reasoning: { effort: 'low' },
        temperature: 0.2,
      }),
    ).rejects.toMatchObject({ param: 'temperature' });
  });

  it.each([
    [{ model: 'gpt-9' }, 404, { code: 'model_not_found' }],
    [{ model: 'gpt-5-pro' }, 404, { message: expect.stringContaining('only supported in v1/responses') }],
    [{ model: 'gpt-5.4', max_tokens: 9 }, 400, { code: 'unsupported_parameter', param: 'max_tokens' }],
    [{ model: 'gpt-5.4', temperature: 0.2 }, 400, { code: 'unsupported_value', param: 'temperature' }],
    [{ model: 'gpt-5', reasoning_effort: 'xhigh' }, 400, { code: 'unsupported_value', param: 'reasoning_effort' }],
    [{ model: 'gpt-5.4-mini', reasoning_effort: 'low', tools: [weather] }, 400, { param: 'reasoning_effort' }],
    [
      { model: 'gpt-5.6-sol', tools: [weather] },
      400,
      { message: expect.stringContaining("set reasoning_effort to 'none'") },
    ],
    [{ model: 'gpt-5-mini', messages: user('{{sim prompt_tokens=272001}}') }, 400, { code: 'context_length_exceeded' }],
    [{ messages: user('{{sim prompt_tokens=128001}}') }, 400, { code: 'context_length_exceeded' }],
    [{ temperature: 3 }, 400, { code: 'decimal_above_max_value', param: 'temperature' }],
    [{ enable_thinking: true }, 400, { message: expect.stringContaining('enable_thinking') }],
    [{ messages: [] }, 400, { code: 'empty_array' }],
    [{ response_format: { type: 'json_object' } }, 400, { message: expect.stringContaining("the word 'json'") }],
    [{ stream_options: { include_usage: true } }, 400, { param: 'stream_options' }],
    [{ messages: [{ role: 'tool', tool_call_id: 'x', content: 'y' }] }, 400, { type: 'invalid_request_error' }],
  ])('refuses %j', async (wrong, status, error) => {
    const request = { model: 'gpt-4o', messages: user('Hello'), ...wrong } as never;
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status, ...error });
  });

  const turnsWith = (part: object, more: object = {}) => [
    { role: 'user', content: [{ type: 'text', text: 'x', ...part }] },
    { role: 'assistant', content: 'y', ...more },
    { role: 'user', content: 'z' },
  ];
  const calls = (more: object) => ({
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'w', arguments: '{}' }, ...more }],
  });

  it.each([
    [turnsWith({ cache_control: { type: 'ephemeral' } }), 'messages[0].content[0].cache_control'],
    [turnsWith({}, { reasoning_content: 'Hm.' }), 'messages[1].reasoning_content'],
    [turnsWith({}, calls({ index: 0 })), 'messages[1].tool_calls[0].index'],
    [turnsWith({}, calls({ extra_content: {} })), 'messages[1].tool_calls[0].extra_content'],
  ])('refuses the unknown field of %j', async (messages, param) => {
    await expect(client.chat.completions.create({ model: 'gpt-4o', messages } as never)).rejects.toMatchObject({
      status: 400,
      code: 'unknown_parameter',
      param,
      message: expect.stringContaining(`Unknown parameter: '${param}'.`),
    });
  });

  it('refuses an id of a call above 40 characters', async () => {
    const messages = turnsWith({}, calls({ id: 'c'.repeat(41) }));
    await expect(client.chat.completions.create({ model: 'gpt-4o', messages } as never)).rejects.toMatchObject({
      status: 400,
      code: 'string_above_max_length',
      param: 'messages[1].tool_calls[0].id',
    });
  });

  it('accepts its own answer back, and has no files', async () => {
    const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages: user('Hello') });
    const answer = choices[0]?.message ?? { role: 'assistant' as const, content: '' };
    const again = [...user('Hello'), answer, ...user('Again')];
    expect((await client.chat.completions.create({ model: 'gpt-4o', messages: again })).object).toBe('chat.completion');
    const content = [{ type: 'file' as const, file: { file_id: 'file-other' } }];
    await expect(
      client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] }),
    ).rejects.toMatchObject({ status: 404, message: expect.stringContaining('No such File object: file-other') });
  });

  it.each([
    ['gpt-5.4-mini', {}],
    ['gpt-5.4-mini', { reasoning_effort: 'none' as const }],
    ['gpt-5.6-sol', { reasoning_effort: 'none' as const }],
    ['gpt-5-mini', { reasoning_effort: 'low' as const }],
  ])('calls tools of %s with %j', async (model, more) => {
    const completion = await client.chat.completions.create({
      model,
      messages: user('Use the tool'),
      tools: [weather],
      ...more,
    });
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it.each([
    ['bad-key', { status: 401, code: 'invalid_api_key' }],
    ['is-broke', { status: 429, code: 'insufficient_quota' }],
  ])('refuses the credential %s', async (key, error) => {
    const request = { model: 'gpt-4o', messages: user('Hello') };
    await expect(clientFor(key).chat.completions.create(request)).rejects.toMatchObject(error);
  });
});

describe('a custom tool on chat', () => {
  it.each([false, true])('is called with a text (stream: %s)', async (isStream) => {
    const tools = [{ type: 'custom' as const, custom: { name: 'apply_patch' } }];
    const request = { model: 'gpt-5-mini', messages: user('Use the tool'), tools };
    const input = 'Input 1 of “apply_patch”';
    if (isStream) {
      let written = '';
      for await (const { choices } of await client.chat.completions.create({ ...request, stream: true })) {
        for (const call of choices[0]?.delta.tool_calls ?? []) {
          written += (call as unknown as { custom: { input: string } }).custom.input;
        }
      }
      expect(written).toBe(input);
      return;
    }
    const { choices } = await client.chat.completions.create(request);
    expect(choices[0]?.message.tool_calls).toMatchObject([{ type: 'custom', custom: { name: 'apply_patch', input } }]);
  });
});

describe('responses', () => {
  const create = (more: object) =>
    client.responses.create({
      model: 'gpt-5.4-pro',
      input: 'Hello',
      ...more,
    } as OpenAI.Responses.ResponseCreateParamsNonStreaming);

  it('reports hidden reasoning', async () => {
    const response = await create({ reasoning: { effort: 'high' }, store: false });
    expect(response.output_text).toBe('I received 5 bytes. You said: Hello');
    expect(response.output[0]).toMatchObject({ type: 'reasoning', summary: [] });
    expect(response.usage).toMatchObject({
      input_tokens: 2,
      output_tokens: 75,
      output_tokens_details: { reasoning_tokens: 64 },
    });
  });

  it('is incomplete at its cap', async () => {
    const response = await create({ input: '{{sim words=90 reasoning_tokens=10}}', max_output_tokens: 16 });
    expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    expect(response.usage?.output_tokens).toBe(16);
  });

  it.each([{}, { reasoning: { effort: 'medium', summary: 'auto' } }])(
    'streams its events in order (%j)',
    async (more) => {
      const stream = client.responses.stream({ model: 'gpt-5.4-pro', input: '{{sim chunks=3}}', ...more } as never);
      const numbers: number[] = [];
      for await (const event of stream) numbers.push(event.sequence_number);
      expect(numbers).toEqual(numbers.map((_, at) => at));
      const response = await stream.finalResponse();
      expect(response.output_text).toHaveLength(48);
      expect(response.status).toBe('completed');
    },
  );

  it('calls a tool in a stream', async () => {
    const { name, parameters } = weather.function;
    const tools = [{ type: 'function' as const, name, parameters, strict: false }];
    const stream = client.responses.stream({ model: 'gpt-5.4-pro', input: 'Use the tool', tools });
    const { output } = await stream.finalResponse();
    expect(output.at(-1)).toMatchObject({ type: 'function_call', name, arguments: '{"city":"city 1"}' });
  });

  it('calls a tool with an effort, which chat refuses', async () => {
    const { name, parameters } = weather.function;
    const tools = [{ type: 'function' as const, name, parameters, strict: false }];
    const effort = { reasoning: { effort: 'low' as const } };
    const response = await client.responses.create({ model: 'gpt-5.4-mini', input: 'Use the tool', tools, ...effort });
    expect(response.model).toBe('gpt-5.4-mini-2026-03-17');
    expect(response.output.at(-1)).toMatchObject({ type: 'function_call', name });
  });

  it.each([
    [{ input: '{{sim prompt_tokens=922001}}' }, { status: 400, code: 'context_length_exceeded' }],
    [{ max_output_tokens: 8 }, { status: 400, code: 'integer_below_min_value' }],
    [{ reasoning: { effort: 'low' } }, { status: 400, code: 'unsupported_value', param: 'reasoning.effort' }],
    [{ messages: [] }, { status: 400, code: 'unknown_parameter', param: 'messages' }],
    [{ tools: [weather] }, { status: 400, code: 'missing_required_parameter', param: 'tools[0].name' }],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }, { status: 400 }],
    [{ input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }, { status: 400, code: 'invalid_value' }],
  ])('refuses %j', async (wrong, error) => {
    await expect(create(wrong)).rejects.toMatchObject(error);
  });
});

it('lists its models', async () => {
  const ids: string[] = [];
  for await (const model of client.models.list()) ids.push(model.id);
  expect(ids).toEqual(expect.arrayContaining(['gpt-4o', 'gpt-5.4-pro', 'gpt-5.4-2026-03-05']));
});
