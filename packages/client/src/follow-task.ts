import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { PublicClient } from './create-clients.js';
import { GatewayError } from './gateway-error.js';
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
    // A reader that leaves must not keep its connection: the gateway counts it.
    await reader.cancel().catch(() => undefined);
  }
}

/** How long to wait before a stream that could not be opened again is tried once more. Throws what no wait can mend. */
function waitAfter(error: unknown, { signal, reconnectMs = RECONNECT_MS }: FollowOptions): number {
  if (signal?.aborted === true) throw error;
  // The network is away.
  if (!(error instanceof GatewayError)) return reconnectMs;
  if (!error.isTransient) throw error;
  return Math.max(reconnectMs, error.retryAfterMs ?? 0);
}

/** Opens the stream from the last event that its reader has; undefined: from the first. Null: the task has no more events. */
async function openEvents(
  client: PublicClient,
  id: string,
  lastId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  const { response } = await client.GET('/v1/videos/generations/{id}/events', {
    params: { path: { id }, ...(lastId !== undefined && { header: { 'Last-Event-ID': lastId } }) },
    parseAs: 'stream',
    ...(signal !== undefined && { signal }),
  });
  return response.body;
}

/** The same after a cut, however long the gateway is away or busy. */
async function reopenEvents(
  client: PublicClient,
  id: string,
  lastId: string | undefined,
  options: FollowOptions,
): ReturnType<typeof openEvents> {
  for (let waitMs = options.reconnectMs ?? RECONNECT_MS; ; ) {
    await pause(waitMs, options.signal);
    try {
      return await openEvents(client, id, lastId, options.signal);
    } catch (error) {
      waitMs = waitAfter(error, options);
    }
  }
}

/**
 * A video task at each change, the last one in its final state. Opens the stream again after a cut, from the last
 * event that it has. Throws `GatewayError` for a task that the key may not see, and the reason of an aborted signal.
 */
export async function* followTask(
  client: PublicClient,
  id: string,
  options: FollowOptions = {},
): AsyncGenerator<VideoTask, void> {
  const { signal } = options;
  let lastId: string | undefined;
  let body = await openEvents(client, id, lastId, signal);
  while (body !== null) {
    for await (const event of readEvents(body, signal)) {
      lastId = event.id ?? lastId;
      const { data } = JSON.parse(event.data) as components['schemas']['VideoTaskEvent'];
      yield data;
      if (ENDED.has(data.status)) return;
    }
    body = await reopenEvents(client, id, lastId, options);
  }
}

/** The task in its final state. Throws as `followTask` does. */
export async function waitForTask(client: PublicClient, id: string, options: FollowOptions = {}): Promise<VideoTask> {
  let last: VideoTask | undefined;
  for await (const task of followTask(client, id, options)) last = task;
  if (last !== undefined) return last;
  const { signal } = options;
  const { data } = await client.GET('/v1/videos/generations/{id}', {
    params: { path: { id } },
    ...(signal !== undefined && { signal }),
  });
  return data as VideoTask;
}
