import type { ResponseSink } from '@gateway/contracts';

const PART_BYTES = 256 * 1024;

/**
 * Writes a whole body at the pace of its client: an edge would keep what a slow client does not read. It is paid, so an
 * aborted `signal` does not interrupt it. The rest then goes out at once.
 */
export async function sendWhole(
  body: Uint8Array,
  sink: Pick<ResponseSink, 'data' | 'ready'>,
  signal: AbortSignal,
): Promise<void> {
  // Most responses: a listener for each would cost more than the write.
  if (body.length <= PART_BYTES) return sink.data(body);
  const aborted = Promise.withResolvers<void>();
  const onAbort = (): void => aborted.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (let offset = 0; offset < body.length; offset += PART_BYTES) {
      const whenReady = signal.aborted ? undefined : sink.ready();
      if (whenReady !== undefined) await Promise.race([whenReady, aborted.promise]);
      sink.data(body.subarray(offset, offset + PART_BYTES));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
