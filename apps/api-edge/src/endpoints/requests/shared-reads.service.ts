import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveResponses } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LIVE_RESPONSES } from '../../tokens.js';

/** Workers write a running stream so often. */
const LEAST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
/** The pause grows with the silence: bytes that end it come later by this part of it at most. */
const PART_OF_SILENCE = 1 / 8;
/** Of all silent streams of this edge together. More streams are read less often. */
const MAX_READS_PER_SECOND = 2_000;

const EMPTY = Buffer.alloc(0);

export interface Silence {
  /** When the reader got its last bytes, on the clock of `performance.now()`. */
  readonly sinceMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

type Reader = (bytes: Buffer) => void;

/** Readers that wait for the bytes after one position of one stream. */
interface Poll {
  readonly readers: Set<Reader>;
  sinceMs: number;
}

/** Readers at one position of a stream share each read of Redis, and nothing is kept for those that are behind: they read it again. */
@Injectable()
export class SharedReads {
  readonly #reads = new Map<string, Promise<Buffer>>();
  readonly #polls = new Map<string, Poll>();

  constructor(@Inject(LIVE_RESPONSES) private readonly live: Pick<LiveResponses, 'read'>) {}

  /** What is there now. Never rejects: a Redis that is away has nothing. */
  read(requestId: string, offset: number): Promise<Buffer> {
    const place = placeOf(requestId, offset);
    const running = this.#reads.get(place);
    if (running !== undefined) return running;
    const read = this.live
      .read(requestId, offset)
      .catch(() => EMPTY)
      .finally(() => this.#reads.delete(place));
    this.#reads.set(place, read);
    return read;
  }

  /** The next bytes, once there are some; none if the signal aborts first. */
  async next(requestId: string, offset: number, { sinceMs, signal }: Silence): Promise<Buffer> {
    if (signal.aborted) return EMPTY;
    const poll = this.#pollOf(requestId, offset, sinceMs);
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    const leave = () => resolve(EMPTY);
    poll.readers.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    const bytes = await promise;
    signal.removeEventListener('abort', leave);
    poll.readers.delete(resolve);
    return bytes;
  }

  #pollOf(requestId: string, offset: number, sinceMs: number): Poll {
    const place = placeOf(requestId, offset);
    const known = this.#polls.get(place);
    if (known !== undefined) {
      known.sinceMs = Math.min(known.sinceMs, sinceMs);
      return known;
    }
    const poll = { readers: new Set<Reader>(), sinceMs };
    this.#polls.set(place, poll);
    void this.#run(poll, requestId, offset);
    return poll;
  }

  /** Until there are bytes, or no reader waits for them. No reader may join a poll that is over. */
  async #run(poll: Poll, requestId: string, offset: number): Promise<void> {
    let bytes: Buffer = EMPTY;
    while (bytes.length === 0) {
      await sleep(pauseMs(performance.now() - poll.sinceMs, this.#polls.size), undefined, { ref: false });
      if (poll.readers.size === 0) break;
      bytes = await this.read(requestId, offset);
    }
    this.#polls.delete(placeOf(requestId, offset));
    for (const give of poll.readers) give(bytes);
  }
}

const placeOf = (requestId: string, offset: number): string => `${requestId} ${offset}`;

/** Before the next read of a stream that is silent for so long, beside so many silent ones. */
export function pauseMs(silentMs: number, streams: number): number {
  const ofSilence = Math.min(LONGEST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, silentMs * PART_OF_SILENCE));
  return Math.max(ofSilence, (streams * 1_000) / MAX_READS_PER_SECOND);
}
