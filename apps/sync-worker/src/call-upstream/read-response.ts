import { GatewayError, type Usage } from '@gateway/contracts';
import type { HttpResponse } from '@gateway/http';
import { BilledFailure, type StreamReader } from '@gateway/upstreams';
import type { CalledAdapter, CalledStream } from '../model-adapter.js';
import type { OpenedResponse } from '../opened-response.js';
import { EndedReader } from './ended-reader.js';

const EMPTY = new Uint8Array();
const RESPONSE_LIMIT_BYTES = 64 * 1024 * 1024;
const LONG_BYTES = 1024 * 1024;

/** Waits for the memory of a long reply. `expectedBytes`: the length that the upstream has named. */
export type TakeRoom = (expectedBytes: number | undefined) => Promise<void>;

/** A reply above a mebibyte waits for memory. */
export const longReply = (begin: TakeRoom) => ({ fromBytes: LONG_BYTES, begin });

interface ReadingCall {
  readonly release: () => void;
  readonly onReader: (reader: StreamReader) => void;
  readonly takeRoom: TakeRoom;
}

/** Reads a 2xx response until it proves valid: a unary one to its end, a stream to its first bytes for the client. */
export async function readResponse(
  response: HttpResponse,
  adapter: CalledAdapter,
  { release, onReader, takeRoom }: ReadingCall,
): Promise<OpenedResponse> {
  if (adapter.kind === 'unary') {
    const body = await response.bytes(adapter.responseLimitBytes ?? RESPONSE_LIMIT_BYTES, longReply(takeRoom));
    try {
      return { kind: 'unary', ...(await adapter.readReply(body)) };
    } catch (error) {
      if (error instanceof BilledFailure) onReader(meterOf(error.usage));
      throw error;
    }
  }
  const contentType = response.headers['content-type'] ?? '';
  if (!contentType.startsWith('text/event-stream')) {
    await response.dump();
    throw new GatewayError('upstream_error', 'The upstream did not respond with an event stream.');
  }
  const reader = await openReader(response, adapter);
  onReader(reader);
  const chunks = response.body[Symbol.asyncIterator]();
  const remaining = 'chunksOf' in reader ? reader.chunksOf(chunks) : chunks;
  try {
    return adapter.isCollected
      ? await collect(adapter, reader, remaining)
      : await readFirstBytes(adapter, reader, remaining, release);
  } catch (error) {
    await remaining.return?.();
    throw error;
  }
}

/** A thread may fail to open it: the upstream must not go on for a response that is not read. */
async function openReader(response: HttpResponse, adapter: CalledStream) {
  try {
    return await adapter.openReader();
  } catch (error) {
    await response.dump();
    throw error;
  }
}

/** Meters a failed response that the upstream bills. */
const meterOf = (usage: Usage): StreamReader => ({
  read: () => EMPTY,
  end: () => EMPTY,
  usage: () => usage,
  isFinal: false,
  isBilledFailure: true,
  upstreamId: undefined,
});

async function readFirstBytes(
  { contentType }: CalledStream,
  reader: StreamReader,
  remaining: AsyncIterator<Buffer>,
  release: () => void,
): Promise<OpenedResponse> {
  const opened = { kind: 'stream', reader, remaining, contentType, release } as const;
  for (;;) {
    const { done, value } = await remaining.next();
    if (done) return { ...opened, firstBytes: reader.end(), reader: new EndedReader(reader) };
    const firstBytes = reader.read(value);
    if (firstBytes.length > 0) return { ...opened, firstBytes };
  }
}

async function collect(
  { collectedType }: CalledStream,
  reader: StreamReader,
  remaining: AsyncIterator<Buffer>,
): Promise<OpenedResponse> {
  for (;;) {
    const { done, value } = await remaining.next();
    if (done) break;
    reader.read(value);
  }
  const body = reader.end();
  const contentType = collectedType === undefined ? {} : { contentType: collectedType };
  return { kind: 'unary', body, ...contentType, usage: reader.usage(), upstreamId: reader.upstreamId };
}
