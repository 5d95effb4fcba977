import type { RequestStream } from '@gateway/relay';
import { Injectable } from '@nestjs/common';
import type { OpenedAnswer } from '../opened-answer.js';
import { MeterClock } from './meter-clock.service.js';

/** Sends an opened stream to the edge as it arrives: the slowest reader on the way sets the pace. */
@Injectable()
export class PublishAnswer {
  constructor(private readonly meter: MeterClock) {}

  /** Returns when the upstream's own end of answer has been sent. Throws what broke it off. */
  async stream(
    answer: Extract<OpenedAnswer, { kind: 'stream' }>,
    headers: Readonly<Record<string, string>>,
    claimed: RequestStream,
  ): Promise<void> {
    const { reader, rest } = answer;
    let changed = true;
    const stopMeter = this.meter.onBeat(() => {
      if (changed) claimed.meter(readingOf(reader.usage()));
      changed = false;
    });
    try {
      claimed.meter(readingOf(reader.usage()));
      claimed.head({ status: 200, headers });
      claimed.data(answer.first);
      for (;;) {
        const mustWait = claimed.ready();
        if (mustWait !== undefined) await mustWait;
        claimed.signal.throwIfAborted();
        const { done, value } = await rest.next();
        if (done) break;
        const bytes = reader.read(value);
        if (bytes.length > 0) claimed.data(bytes);
        changed = true;
      }
      const last = reader.end();
      if (last.length > 0) claimed.data(last);
    } catch (error) {
      // Whatever broke it off, the upstream is not left generating for nobody.
      await rest.return?.();
      throw error;
    } finally {
      stopMeter();
    }
  }
}

const readingOf = ({
  units,
  inputTokensTotal,
  isEstimated,
}: {
  units: object;
  inputTokensTotal: number;
  isEstimated: boolean;
}) => ({
  units: units as Record<string, number>,
  inputTokensTotal,
  isEstimated,
});
