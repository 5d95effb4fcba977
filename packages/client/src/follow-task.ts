import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { PublicClient } from './create-clients.js';
import type { components } from './generated/public.js';

export type VideoTask = components['schemas']['VideoTask'];

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled', 'expired']);
const RECONNECT_MS = 1_000;

interface FollowOptions {
  readonly signal?: AbortSignal;
  /** Before the stream is opened again after a cut. Default: 1,000. */
  readonly reconnectMs?: number;
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });

/** The events of one connection. A cut ends them without an error, as the end does. */
async function* readEvents(bytes: ReadableStream<Uint8Array>, signal: AbortSignal | undefined) {
  const events = bytes
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch (error) {
    if (signal?.aborted === true) throw error;
  } finally {
    reader.releaseLock();
  }
}

/**
 * A video task at each change, the last one in its final state. Opens the stream again after a cut, from the last
 * event that it has. Throws `GatewayError` for a task that the key may not see, and the reason of an aborted signal.
 */
export async function* followTask(
  client: PublicClient,
  id: string,
  { signal, reconnectMs = RECONNECT_MS }: FollowOptions = {},
): AsyncGenerator<VideoTask, void> {
  for (let lastId: string | undefined; ; ) {
    const { response } = await client.GET('/v1/videos/generations/{id}/events', {
      params: { path: { id }, ...(lastId !== undefined && { header: { 'Last-Event-ID': lastId } }) },
      parseAs: 'stream',
      ...(signal !== undefined && { signal }),
    });
    if (response.body === null) return;
    for await (const event of readEvents(response.body, signal)) {
      lastId = event.id ?? lastId;
      const { data } = JSON.parse(event.data) as components['schemas']['VideoTaskEvent'];
      yield data;
      if (ENDED.has(data.status)) return;
    }
    await pause(reconnectMs, signal);
  }
}

/** The task in its final state. Throws as `followTask` does. */
export async function waitForTask(client: PublicClient, id: string, options: FollowOptions = {}): Promise<VideoTask> {
  let last: VideoTask | undefined;
  for await (const task of followTask(client, id, options)) last = task;
  if (last !== undefined) return last;
  const { data } = await client.GET('/v1/videos/generations/{id}', { params: { path: { id } } });
  return data as VideoTask;
}
