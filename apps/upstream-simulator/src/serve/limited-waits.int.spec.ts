import { afterAll, describe, expect, it } from '@jest/globals';
import { startSimulator } from '../start-simulator.js';

const MAX_WAIT_MS = 150;
const simulator = await startSimulator({ host: '127.0.0.1', port: 0, maxWaitMs: MAX_WAIT_MS });
afterAll(() => simulator.close());

const post = (path: string, body: object) =>
  fetch(`${simulator.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const chat = (directives: string, stream = true) =>
  post('/openai/v1/chat/completions', {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: `{{sim ${directives}}} Hello` }],
    stream,
  });

const VIDEO = { model: 'grok-imagine-video', resolution: '480p', duration: 1 };

describe('a simulator with a limit', () => {
  it.each(['delay_ms=100000000', 'chunk_ms=100000 chunks=20', 'delay_ms=100000 chunk_ms=100000 chunks=40'])(
    'responds within it: %s',
    async (directives) => {
      const response = await chat(directives);
      expect(await response.text()).toContain('[DONE]');
    },
  );

  it.each(['hang', 'hang_after=0', 'hang_after=2'])('drops what would hang: %s', async (directives) => {
    await expect(chat(directives).then((response) => response.text())).rejects.toThrow();
  });

  it.each(['hang', 'hang_after=1'])('drops what would hang without a stream: %s', async (directives) => {
    await expect(chat(directives, false)).rejects.toThrow();
  });

  it('drops an accepted response that would hang', async () => {
    const prompt = '{{sim accept_then_hang}} a kite';
    await expect(post('/xai/v1/images/generations', { model: 'grok-imagine-image', prompt })).rejects.toThrow();
  });

  it.each(['task_hang', 'task_seconds=1000000', 'queue_seconds=1000000'])('ends a task: %s', async (directives) => {
    const created = await post('/xai/v1/videos/generations', { ...VIDEO, prompt: `{{sim ${directives}}} a kite` });
    const { request_id: id } = (await created.json()) as { request_id: string };
    const tasks = await fetch(`${simulator.url}/__tasks?wait_ended=true`);
    const { tasks: all } = (await tasks.json()) as { tasks: { id: string; state: string }[] };
    const ending = directives === 'task_hang' ? 'expired' : 'succeeded';
    expect(all.find((task) => task.id === id)?.state).toBe(ending);
  });

  it('keeps images small', async () => {
    const prompt = '{{sim picture_bytes=30000000}} a kite';
    const response = await post('/openai/v1/images/generations', { model: 'gpt-image-2', prompt, quality: 'low' });
    const { data } = (await response.json()) as { data: { b64_json: string }[] };
    expect(Buffer.from(data[0]?.b64_json ?? '', 'base64').length).toBeLessThan(2_000_000);
  });

  it('builds no text that is only cut', async () => {
    const response = await chat('completion_tokens=100000000', false);
    const { usage } = (await response.json()) as { usage: { completion_tokens: number } };
    expect(usage.completion_tokens).toBe(16_384);
  });
});
