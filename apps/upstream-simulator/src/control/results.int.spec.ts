import { describe, expect, it } from '@jest/globals';
import { readMovie } from '../test-support/read-mp4.js';
import { TaskClient } from '../test-support/task-client.js';

const client = await TaskClient.start('/dashscope/api/v1');
const body = {
  model: 'wan2.7-t2v',
  input: { prompt: 'a boat {{sim task_seconds=0}}' },
  parameters: { resolution: '720P', ratio: '9:16', duration: 4 },
};
const path = '/services/aigc/video-generation/video-synthesis';
const created = await client.post(path, body, { 'x-dashscope-async': 'enable' });
const address: string = (await client.get(`/tasks/${created.body.output.task_id}`)).body.output.video_url;

const bytesOf = async (headers: Record<string, string> = {}) => {
  const response = await fetch(address, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe('the address of a video', () => {
  it('returns a playable file of the requested length and size', async () => {
    const { response, bytes } = await bytesOf();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('video/mp4');
    expect(response.headers.get('content-length')).toBe(`${bytes.length}`);
    expect(readMovie(bytes)).toMatchObject({ width: 720, height: 1280, seconds: { movie: 4 } });
  });

  it('returns byte ranges', async () => {
    const { bytes } = await bytesOf();
    const part = await bytesOf({ range: 'bytes=100-199' });
    expect(part.response.status).toBe(206);
    expect(part.response.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`);
    expect(part.bytes.equals(bytes.subarray(100, 200))).toBe(true);
    const beyond = await bytesOf({ range: `bytes=${bytes.length}-` });
    expect(beyond.response.status).toBe(416);
    expect(beyond.response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
  });

  it('reports its length to HEAD', async () => {
    const { bytes } = await bytesOf();
    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, `${bytes.length}`]);
  });

  it('fails as it is ordered, until the order is cleared', async () => {
    const control = new URL('/__results', address);
    const order = (body: object) => fetch(control, { method: 'POST', body: JSON.stringify(body) });
    const whole = await bytesOf();
    const failing = async (fault: string): Promise<readonly unknown[]> => {
      expect((await order({ fault })).status).toBe(200);
      return bytesOf().then(
        ({ response, bytes }) => [response.status, response.headers.get('content-type'), bytes.length],
        () => ['broken'],
      );
    };
    expect(await failing('missing')).toEqual([404, null, 0]);
    expect(await failing('cut')).toEqual(['broken']);
    expect(await failing('short')).toEqual([200, 'video/mp4', Math.floor(whole.bytes.length / 2)]);
    expect(await failing('wrong_type')).toEqual([200, 'text/html', whole.bytes.length]);
    expect(await failing('page')).toEqual([200, 'video/mp4', expect.any(Number)]);
    expect(await failing('circle')).toEqual(['broken']);
    for (const [fault, length] of [
      ['large', String(64 * 1024 * 1024)],
      ['drip', null],
    ] as const) {
      await order({ fault });
      const abort = new AbortController();
      const endless = await fetch(address, { signal: abort.signal });
      expect([endless.status, endless.headers.get('content-length')]).toEqual([200, length]);
      abort.abort();
    }
    expect((await order({ fault: 'unknown' })).status).toBe(400);
    await fetch(control, { method: 'DELETE' });
    expect((await bytesOf()).bytes.equals(whole.bytes)).toBe(true);
  });

  it('refuses a second credential', async () => {
    expect((await bytesOf({ authorization: 'Bearer k' })).response.status).toBe(400);
    expect((await fetch(address.replace(/\w+\.mp4/, 'other.mp4'))).status).toBe(404);
  });
});
