import { GatewayError } from '@gateway/contracts';
import type { HttpResponse } from '@gateway/http';
import type { StreamReader } from '@gateway/upstreams';
import type { Lane } from '../lane.js';
import type { OpenedAnswer } from '../opened-answer.js';

const WHOLE_ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;

/** Reads a 2xx answer up to where it can be told whether it is one: all of a whole answer, a stream's first bytes. */
export async function openResponse(
  answer: HttpResponse,
  lane: Lane,
  release: () => void,
  onReader: (reader: StreamReader) => void,
): Promise<OpenedAnswer> {
  if (!lane.streamsUpstream) {
    const reply = lane.readReply(await answer.bytes(lane.answerLimitBytes ?? WHOLE_ANSWER_LIMIT_BYTES));
    return { kind: 'whole', ...reply };
  }
  const contentType = answer.headers['content-type'] ?? '';
  if (!contentType.startsWith('text/event-stream')) {
    await answer.dump();
    throw new GatewayError('upstream_error', 'The upstream did not answer with a stream.');
  }
  const reader = lane.openReader();
  onReader(reader);
  const rest = answer.body[Symbol.asyncIterator]();
  try {
    return lane.streamsToClient ? await untilFirstBytes(lane, reader, rest, release) : await collect(reader, rest);
  } catch (error) {
    await rest.return?.();
    throw error;
  }
}

async function untilFirstBytes(
  { contentType }: Lane,
  reader: StreamReader,
  rest: AsyncIterator<Buffer>,
  release: () => void,
): Promise<OpenedAnswer> {
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return { kind: 'stream', reader, first: reader.end(), rest, contentType, release };
    const first = reader.read(value);
    if (first.length > 0) return { kind: 'stream', reader, first, rest, contentType, release };
  }
}

async function collect(reader: StreamReader, rest: AsyncIterator<Buffer>): Promise<OpenedAnswer> {
  for (;;) {
    const { done, value } = await rest.next();
    if (done) break;
    reader.read(value);
  }
  const body = reader.end();
  return { kind: 'whole', body, usage: reader.usage(), upstreamId: reader.upstreamId };
}
