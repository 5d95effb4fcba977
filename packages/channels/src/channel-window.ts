import { type ChannelReport, LATENCY_BOUNDS_MS } from '@gateway/contracts';

const MINUTE_MS = 60_000;
const MINUTES = 5;

interface Minute {
  readonly number: number;
  calls: number;
  readonly errors: Map<string, number>;
  readonly latencies: number[];
}

/** An ended attempt. */
export interface EndedAttempt {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
}

/** Counts a channel's attempts of the last five minutes, minute by minute. */
export class ChannelWindow {
  #minutes: Minute[] = [];
  #lastError: ChannelReport['lastError'] = null;

  record({ startedAtMs, endedAtMs, status, error }: EndedAttempt): void {
    const minute = this.#minuteAt(endedAtMs);
    minute.calls += 1;
    const bound = LATENCY_BOUNDS_MS.findIndex((boundMs) => endedAtMs - startedAtMs <= boundMs);
    const place = bound === -1 ? LATENCY_BOUNDS_MS.length : bound;
    minute.latencies[place] = (minute.latencies[place] ?? 0) + 1;
    if (error === undefined) return;
    minute.errors.set(error, (minute.errors.get(error) ?? 0) + 1);
    this.#lastError = { code: error, status: status ?? null, atMs: endedAtMs };
  }

  read(nowMs: number): Pick<ChannelReport, 'calls' | 'errors' | 'latencies' | 'lastError'> {
    this.#forget(nowMs);
    const errors: Record<string, number> = {};
    const latencies = new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);
    let calls = 0;
    for (const minute of this.#minutes) {
      calls += minute.calls;
      for (const [code, count] of minute.errors) errors[code] = (errors[code] ?? 0) + count;
      for (const [place, count] of minute.latencies.entries()) latencies[place] = (latencies[place] ?? 0) + count;
    }
    return { calls, errors, latencies, lastError: this.#lastError };
  }

  #minuteAt(timeMs: number): Minute {
    const number = Math.floor(timeMs / MINUTE_MS);
    const last = this.#minutes.at(-1);
    if (last !== undefined && last.number >= number) return last;
    this.#forget(timeMs);
    const latencies = new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);
    const minute = { number, calls: 0, errors: new Map<string, number>(), latencies };
    this.#minutes.push(minute);
    return minute;
  }

  #forget(nowMs: number): void {
    const oldest = Math.floor(nowMs / MINUTE_MS) - MINUTES;
    this.#minutes = this.#minutes.filter(({ number }) => number > oldest);
  }
}
