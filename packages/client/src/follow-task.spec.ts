import { describe, expect, it } from '@jest/globals';
import { createPublicClient } from './create-clients.js';
import { followTask, type VideoTask, waitForTask } from './follow-task.js';
import { GatewayError } from './gateway-error.js';
import { readPages } from './read-pages.js';

const task = (status: string) => ({ id: 'task_1', status });
const event = (id: number, status: string) =>
  `id: evt_${id}\nevent: video.task.${status}\ndata: ${JSON.stringify({ type: `video.task.${status}`, data: task(status) })}\n\n`;

const stream = (...texts: string[]): Response =>
  new Response(texts.join(''), { headers: { 'content-type': 'text/event-stream' } });

interface Sent {
  readonly url: string;
  readonly lastEventId: string | null;
}

/** A client whose server gives these answers one after the other. */
function clientOf(...answers: readonly (() => Response)[]) {
  const sent: Sent[] = [];
  const answer = async (request: Request | URL | string) => {
    const { url, headers } = request as Request;
    sent.push({ url, lastEventId: headers.get('last-event-id') });
    const next = answers[sent.length - 1];
    if (next === undefined) throw new Error('one request too many');
    return next();
  };
  return { client: createPublicClient({ baseUrl: 'http://gateway.test', token: 'sk-one', fetch: answer }), sent };
}

async function statuses(tasks: AsyncIterable<VideoTask>): Promise<readonly string[]> {
  const seen: string[] = [];
  for await (const { status } of tasks) seen.push(status);
  return seen;
}

describe('a task that is followed', () => {
  it('is seen at each change until its end', async () => {
    const { client, sent } = clientOf(() => stream(event(1, 'queued'), event(2, 'running'), event(3, 'succeeded')));
    expect(await statuses(followTask(client, 'task_1'))).toEqual(['queued', 'running', 'succeeded']);
    expect(sent).toEqual([{ url: 'http://gateway.test/v1/videos/generations/task_1/events', lastEventId: null }]);
  });

  it('is followed on after a cut, from the last event', async () => {
    const { client, sent } = clientOf(
      () => stream(event(1, 'queued')),
      () => stream(event(2, 'failed')),
    );
    expect(await statuses(followTask(client, 'task_1', { reconnectMs: 0 }))).toEqual(['queued', 'failed']);
    expect(sent.map(({ lastEventId }) => lastEventId)).toEqual([null, 'evt_1']);
  });

  it('is followed on after a cut while the gateway is away or busy', async () => {
    const { client, sent } = clientOf(
      () => stream(event(1, 'queued')),
      () => {
        throw new TypeError('fetch failed');
      },
      () => new Response('', { status: 503, headers: { 'retry-after': 'Mon, 30 Nov 2026 12:00:00 GMT' } }),
      () => Response.json({ error: { code: 'rate_limit_exceeded' } }, { status: 429, headers: { 'retry-after': '0' } }),
      () => stream(event(2, 'succeeded')),
    );
    expect(await statuses(followTask(client, 'task_1', { reconnectMs: 0 }))).toEqual(['queued', 'succeeded']);
    expect(sent.map(({ lastEventId }) => lastEventId)).toEqual([null, 'evt_1', 'evt_1', 'evt_1', 'evt_1']);
  });

  it('is not followed if the gateway cannot be reached at first, nor if the key loses its right', async () => {
    const fail = () => {
      throw new TypeError('fetch failed');
    };
    await expect(statuses(followTask(clientOf(fail).client, 'task_1', { reconnectMs: 0 }))).rejects.toThrow(
      'fetch failed',
    );
    const { client } = clientOf(
      () => stream(event(1, 'queued')),
      () => new Response('', { status: 401 }),
    );
    await expect(statuses(followTask(client, 'task_1', { reconnectMs: 0 }))).rejects.toMatchObject({ status: 401 });
  });

  it('closes its connection when it is no longer read', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(event(1, 'queued'))),
      cancel: () => resolve(),
    });
    const { client } = clientOf(() => new Response(body));
    for await (const { status } of followTask(client, 'task_1')) if (status === 'queued') break;
    await cancelled;
  });

  it('is read once if its last event has been seen', async () => {
    const { client } = clientOf(
      () => new Response(null, { status: 204 }),
      () => Response.json(task('succeeded')),
    );
    expect(await waitForTask(client, 'task_1')).toMatchObject({ status: 'succeeded' });
  });

  it('throws the refusal of the server, with its field and the time to wait', async () => {
    const error = { message: 'id: there is no such task', code: 'not_found', param: 'id' };
    const headers = { 'x-request-id': 'req_1', 'retry-after': '2' };
    const { client } = clientOf(() => Response.json({ error }, { status: 404, headers }));
    const refusal = await statuses(followTask(client, 'task_1')).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(GatewayError);
    expect(refusal).toMatchObject({
      status: 404,
      code: 'not_found',
      param: 'id',
      requestId: 'req_1',
      retryAfterMs: 2_000,
    });
  });

  it('ends with the reason of an aborted signal', async () => {
    const { client } = clientOf(() => stream(event(1, 'queued')));
    const signal = AbortSignal.abort(new Error('no longer needed'));
    await expect(statuses(followTask(client, 'task_1', { signal, reconnectMs: 60_000 }))).rejects.toThrow();
  });
});

describe('pages', () => {
  it('are read until the last one', async () => {
    const pages = [
      { data: [1, 2], next_cursor: 'two' },
      { data: [], next_cursor: 'three' },
      { data: [3], next_cursor: null },
    ];
    const cursors: (string | undefined)[] = [];
    const rows: number[] = [];
    const read = async (cursor?: string) => {
      cursors.push(cursor);
      return pages[cursors.length - 1] ?? { data: [], next_cursor: null };
    };
    for await (const row of readPages<number>(read)) rows.push(row);
    expect({ rows, cursors }).toEqual({ rows: [1, 2, 3], cursors: [undefined, 'two', 'three'] });
  });
});
