import { setTimeout as sleep } from 'node:timers/promises';
import { streamFault } from './check-responses.mjs';
import { openConnections } from './connections.mjs';
import { ErrorTally } from './error-tally.mjs';
import { EventCounter } from './event-counter.mjs';

/**
 * Keeps `streams` streams open: they start evenly over `rampMs`. Each ended stream is replaced until `windowMs` after
 * the ramp; open ones then run to their end. Chunks are counted within the window only; the time to the first chunk
 * covers every stream.
 */
export async function runStreams({ target, body, streams, rampMs, windowMs, expected }) {
  const connections = openConnections(target, streams);
  const errors = new ErrorTally();
  const played = [];
  const startedMs = performance.now();
  const windowFromMs = startedMs + rampMs;
  const windowToMs = windowFromMs + windowMs;
  let chunksInWindow = 0;
  let chunksInAll = 0;

  const play = async () => {
    const counter = new EventCounter();
    const chunks = [];
    const openedMs = performance.now();
    let firstChunkMs;
    try {
      const status = await connections.send(body, (chunk) => {
        const nowMs = performance.now();
        firstChunkMs ??= nowMs - openedMs;
        const events = counter.count(chunk);
        chunksInAll += events;
        if (nowMs >= windowFromMs && nowMs < windowToMs) chunksInWindow += events;
        chunks.push(chunk);
      });
      played.push({ status, chunks, firstChunkMs });
    } catch (error) {
      errors.add(error.message);
    }
  };
  const keepOpen = async (delayMs) => {
    await sleep(delayMs);
    do await play();
    while (performance.now() < windowToMs);
  };
  try {
    await Promise.all(Array.from({ length: streams }, (_, at) => keepOpen((at * rampMs) / streams)));
    for (const { status, chunks } of played) {
      const fault = streamFault(status, Buffer.concat(chunks), expected);
      if (fault !== undefined) errors.add(fault);
    }
    return {
      elapsedMs: windowMs,
      responseCount: played.length,
      chunksInWindow,
      chunksInAll,
      firstChunksMs: Float64Array.from(played, ({ firstChunkMs }) => firstChunkMs ?? Number.NaN),
      errors: errors.counts,
    };
  } finally {
    await connections.close();
  }
}
