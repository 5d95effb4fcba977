import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();

const clientFor = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${url}/dashscope/compatible-mode/v1`, maxRetries: 0 });

type Params = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Streamed = OpenAI.ChatCompletionCreateParamsStreaming;

const paramsOf = (content: unknown, more: object = {}) =>
  ({ model: 'qwen3.8-omni-flash', messages: [{ role: 'user', content }], ...more }) as unknown as Params;

const deltasOf = async (params: Params) => {
  const stream = await clientFor('k').chat.completions.create({
    ...params,
    stream: true,
    stream_options: { include_usage: true },
  } as Streamed);
  const deltas: Record<string, unknown>[] = [];
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    deltas.push({ ...chunk.choices[0]?.delta });
    usage = chunk.usage;
  }
  return { deltas, usage };
};

describe('compatible mode', () => {
  it('reads every kind of part', async () => {
    const completion = await clientFor('k').chat.completions.create(
      paramsOf([
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
        { type: 'video', video: ['https://example.com/1.png', 'https://example.com/2.png'] },
        { type: 'input_audio', input_audio: { data: 'https://example.com/a.mp3', format: 'mp3' } },
      ]),
    );
    expect(completion.choices[0]?.message.content).toContain('4 bytes, 1 image, 1 audio clip and 2 videos');
    expect(completion.usage?.prompt_tokens).toBe(2 + 85 + 250 + 1_000);
  });

  it('streams thinking first, with the other channel null', async () => {
    const { deltas, usage } = await deltasOf(
      paramsOf('{{sim reasoning_tokens=4 completion_tokens=4}}', { enable_thinking: true }),
    );
    expect(deltas.slice(0, 4)).toEqual([
      { content: null, role: 'assistant', reasoning_content: '' },
      { content: null, reasoning_content: 'the river runs p' },
      { content: 'the river runs p', reasoning_content: null },
      { content: '', reasoning_content: null },
    ]);
    expect(usage).toMatchObject({ completion_tokens: 8, completion_tokens_details: { reasoning_tokens: 4 } });
  });

  it.each([
    ['max_completion_tokens limits thinking and answer together', { max_completion_tokens: 20 }, 20, 0],
    ['max_tokens limits the answer alone', { max_tokens: 20 }, 50, 20],
    ['thinking_budget limits the thinking', { thinking_budget: 10 }, 10, 40],
  ])('counts: %s', async (_what, limit, reasoning, answer) => {
    const prompt = '{{sim reasoning_tokens=50 completion_tokens=40}}';
    const { usage } = await deltasOf(paramsOf(prompt, { enable_thinking: true, ...limit }));
    expect(usage).toMatchObject({
      completion_tokens: reasoning + answer,
      completion_tokens_details: { reasoning_tokens: reasoning, text_tokens: answer },
    });
  });

  it('has an empty id in later chunks of a tool call', async () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'w', parameters: { type: 'object', properties: { c: { type: 'string' } } } },
      },
    ];
    const { deltas } = await deltasOf(paramsOf('{{sim tool=w chunk_bytes=6}}', { tools }));
    const calls = deltas.flatMap(
      (delta) => (delta.tool_calls ?? []) as { id: string; function: { arguments: string } }[],
    );
    expect(calls.map((call) => call.id === '')).toEqual([false, true]);
    expect(calls.map((call) => call.function.arguments).join('')).toBe('{"c":"c 1"}');
  });

  it.each([
    [{ enable_thinking: true }, 400, 'parameter.enable_thinking must be set to false for non-streaming calls'],
    [{ temperature: 2 }, 400, 'Temperature should be in [0.0, 2.0)'],
    [{ tool_choice: 'required' }, 400, 'tool_choice is one of the strings'],
    [{ model: 'qwen-unknown' }, 404, 'does not exist'],
    [{ tools: [{ type: 'function', function: { name: 'n'.repeat(65) } }] }, 400, 'tool name cannot exceed 64'],
    [{ model: 'qwq-plus' }, 400, 'only support stream mode'],
  ])('refuses %j', async (wrong, status, words) => {
    const error = { status, message: expect.stringContaining(words) };
    await expect(clientFor('k').chat.completions.create(paramsOf('Hello', wrong))).rejects.toMatchObject(error);
  });

  it.each([
    ['bad-key', { status: 401, code: 'invalid_api_key' }],
    ['is-broke', { status: 429, code: 'insufficient_quota' }],
    ['in-arrears', { status: 400, code: 'Arrearage' }],
  ])('refuses the credential %s', async (key, error) => {
    await expect(clientFor(key).chat.completions.create(paramsOf('Hello'))).rejects.toMatchObject(error);
  });
});
