import { describe, expect, it } from '@jest/globals';
import { synthesizeTones } from '../../media/tones.js';
import { startForTests } from '../../test-support/start-for-tests.js';

const url = await startForTests();

const call = async (input: object, model = 'qwen3-tts-flash', headers: object = { 'x-dashscope-sse': 'enable' }) => {
  const response = await fetch(`${url}/dashscope/api/v1/services/aigc/multimodal-generation/generation`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model, input: { voice: 'Cherry', ...input } }),
  });
  return { status: response.status, text: await response.text() };
};

interface Event {
  readonly output: { readonly audio: { readonly data: string }; readonly finish_reason: string };
  readonly usage?: { readonly characters: number };
}

const eventsOf = (text: string): Event[] =>
  [...text.matchAll(/^data:(.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Event);

describe('speech', () => {
  it('is streamed as tones of the text and billed by character', async () => {
    const { status, text } = await call({ text: 'Hello 世界, good morning' });
    const events = eventsOf(text);
    expect(status).toBe(200);
    expect(events.length).toBeGreaterThan(3);
    const audio = Buffer.concat(events.map(({ output }) => Buffer.from(output.audio.data, 'base64')));
    expect(audio.equals(synthesizeTones('Hello 世界, good morning'))).toBe(true);
    expect(events.map(({ output }) => output.finish_reason)).toEqual([...events.slice(1).map(() => 'null'), 'stop']);
    expect(events.at(-1)?.usage).toEqual({ characters: 24 });
    expect(text).toMatch(/^id:1\nevent:result\n:HTTP_STATUS\/200\ndata:/);
  });

  it('accepts instructions for one model, and is cut by directive', async () => {
    const reported = await call(
      { text: 'Hi {{sim error_after=1}}', instructions: 'Slowly.' },
      'qwen3-tts-instruct-flash',
    );
    expect(reported.text).toContain('event:error\n:HTTP_STATUS/500\ndata:{"code":"InternalError.Algo"');
  });

  it.each([
    [{ text: 'Hi', voice: 'Unknown' }, "Input should be 'Cherry', 'Serena'"],
    [{ text: 'Hi', voice: null }, 'Field required: input.voice'],
    [{}, 'Field required: input.text'],
    [{ text: ' ' }, 'empty'],
    [{ text: 'x'.repeat(601) }, 'Range of input length'],
    [{ text: '漢'.repeat(301) }, 'Range of input length'],
  ])('is refused %#', async (input, words) => {
    const { status, text } = await call(input);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      code: expect.any(String),
      message: expect.stringContaining(words),
      request_id: expect.any(String),
    });
  });
});
