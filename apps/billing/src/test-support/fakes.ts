import type { Logger } from '@gateway/observability';
import type { UsageEntry } from '@gateway/redis';
import { jest } from '@jest/globals';
import type { BillingMetrics } from '../observability/billing-metrics.js';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A logger that records its lines. */
export function fakeLogger() {
  const lines: LogLine[] = [];
  const log = (level: string) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, message, fields });
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
  return { logger: logger as unknown as Logger, lines };
}

/** Metrics that record each change as `name`, its labels and its value. */
export function fakeMetrics() {
  const changes: unknown[][] = [];
  const metric = (name: string) => ({
    set: (...given: unknown[]) => void changes.push([name, ...given]),
    inc: (...given: unknown[]) => void changes.push([name, ...given]),
    startTimer: () => () => void changes.push([name, 'observed']),
  });
  const metrics = new Proxy({}, { get: (_, name) => metric(String(name)) });
  return { metrics: metrics as BillingMetrics, changes };
}

export const usageEntry = (id: string, costNanoUsd = '5', more: object = {}): UsageEntry =>
  ({
    shard: 3,
    streamId: `stream-${id}`,
    event: { requestId: `req_${id}`, accountId: `acct_${id}`, costNanoUsd, units: {}, ...more },
  }) as unknown as UsageEntry;

type AnyFunction = (...given: never[]) => unknown;

/** A mock with the signature of the function that it replaces. */
export const mockOf = <Replaced extends AnyFunction>() => jest.fn<Replaced>();
