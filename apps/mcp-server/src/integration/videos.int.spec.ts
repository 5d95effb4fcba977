import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Progress } from '@modelcontextprotocol/client';
import { refusal, textOf } from '../test-support/samples.js';
import { TestServer } from '../test-support/test-server.js';

const server = await TestServer.start();
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.reset();
});

describe('videos', () => {
  const PATH = '/v1/videos/generations';
  const record = (status: string, more: object = {}) => ({
    id: 'task_1',
    task_id: 'task_1',
    object: 'video.task',
    model: 'wn2.7-t2v',
    status,
    progress: null,
    content: null,
    cost: null,
    error: null,
    ...more,
  });
  const done = record('succeeded', { progress: 100, content: { video_url: 'https://v.example/1.mp4', expires_at: 1 } });

  it('are submitted, read, listed and cancelled', () =>
    server.using(async (client) => {
      gateway.on(`POST ${PATH}`, { status: 202, json: record('queued') });
      gateway.on(`GET ${PATH}`, { json: { data: [done], next_cursor: null } });
      gateway.on(`GET ${PATH}/task_1`, { json: done });
      gateway.on(`POST ${PATH}/task_1/cancel`, { json: record('cancelled') });
      const body = { model: 'wn2.7-t2v', duration: 5, resolution: '720p', input: { prompt: 'a cat' } };
      const submitted = await client.callTool({ name: 'submit_video', arguments: { ...body, idempotency_key: 'v' } });
      expect(submitted.structuredContent).toMatchObject({ task_id: 'task_1', status: 'queued' });
      expect(gateway.requestsTo(PATH)[0]).toMatchObject({ json: body, headers: { 'idempotency-key': 'v' } });
      const seen = await client.callTool({ name: 'get_video', arguments: { task_id: 'task_1' } });
      expect(seen.content[0]).toMatchObject({
        type: 'resource_link',
        uri: 'https://v.example/1.mp4',
        mimeType: 'video/mp4',
      });
      await client.callTool({ name: 'list_videos', arguments: { limit: 2, status: 'succeeded' } });
      expect(gateway.requests.at(-1)?.path).toBe(`${PATH}?status=succeeded&limit=2`);
      const cancelled = await client.callTool({ name: 'cancel_video', arguments: { task_id: 'task_1' } });
      expect(cancelled.structuredContent).toMatchObject({ status: 'cancelled' });
    }));

  it('are polled with progress while the gateway is briefly unavailable', () =>
    server.using(async (client) => {
      const responses = [
        { json: record('running', { progress: 40 }) },
        refusal(503, 'service_unavailable', 'Later.'),
        { json: done },
      ];
      gateway.on(`GET ${PATH}/task_1`, () => responses.shift() ?? { json: done });
      const seen: Progress[] = [];
      const options = { onprogress: (progress: Progress) => void seen.push(progress) };
      const result = await client.callTool({ name: 'wait_for_video', arguments: { task_id: 'task_1' } }, options);
      expect(result.structuredContent).toMatchObject({ status: 'succeeded' });
      expect(seen).toMatchObject([{ message: 'running, 40 %', total: 300 }]);
    }));

  it('are returned unfinished after the time-out', () =>
    server.using(async (client) => {
      gateway.on(`GET ${PATH}/task_1`, { json: record('running') });
      const args = { task_id: 'task_1', timeout_seconds: 1 };
      expect((await client.callTool({ name: 'wait_for_video', arguments: args })).structuredContent).toMatchObject({
        status: 'running',
      });
    }));

  it.each([[{}], [{ task_id: '' }], [{ task_id: 5 }]])('reject the task id %j', (args) =>
    server.using(async (client) => {
      expect(textOf(await client.callTool({ name: 'wait_for_video', arguments: args }))).toContain("'task_id'");
      expect(gateway.requestsTo(PATH)).toEqual([]);
    }),
  );

  it('escape a task id in the path', () =>
    server.using(async (client) => {
      await client.callTool({ name: 'get_video', arguments: { task_id: '../../admin' } });
      expect(gateway.requests.at(-1)?.path).toBe(`${PATH}/..%2F..%2Fadmin`);
    }));
});
