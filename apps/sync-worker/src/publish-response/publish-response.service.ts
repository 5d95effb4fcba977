import type { ResponseSink, Usage } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { StreamResponse } from '../opened-response.js';
import { UsageTicker } from './usage-ticker.service.js';

/** Writes a stream to its sink as it arrives. The slowest of reader, sink and upstream sets the pace. */
@Injectable()
export class PublishResponse {
  constructor(private readonly ticker: UsageTicker) {}

  /**
   * Resolves once it has sent the upstream's end marker. `signal` interrupts it. Throws the error that interrupts the stream.
   * `onReading` gets the usage so far, at the beginning and after new bytes.
   */
  async stream(
    { reader, firstBytes, remaining, changes }: StreamResponse,
    headers: Readonly<Record<string, string>>,
    sink: ResponseSink,
    signal: AbortSignal,
    onReading: (usage: Usage) => void = () => undefined,
  ): Promise<void> {
    const report = (): void => {
      const usage = reader.usage();
      sink.meter(usage);
      onReading(usage);
    };
    let hasChanged = true;
    const unsubscribe = this.ticker.subscribe(() => {
      if (hasChanged) report();
      hasChanged = false;
    });
    try {
      signal.throwIfAborted();
      report();
      sink.head({ status: 200, headers, ...(changes !== undefined && { changes }) });
      sink.data(firstBytes);
      for (;;) {
        const whenReady = sink.ready();
        if (whenReady !== undefined) await whenReady;
        signal.throwIfAborted();
        const { done, value } = await remaining.next();
        if (done) break;
        const bytes = reader.read(value);
        if (bytes.length > 0) sink.data(bytes);
        hasChanged = true;
      }
      const lastBytes = reader.end();
      if (lastBytes.length > 0) sink.data(lastBytes);
    } catch (error) {
      // Cancel the upstream call: otherwise the upstream would continue to generate and bill.
      await remaining.return?.();
      throw error;
    } finally {
      unsubscribe();
    }
  }
}
