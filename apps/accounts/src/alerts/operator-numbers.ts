import { type Database, listChannelControls, marginReport } from '@gateway/postgres';
import type { OperatorNumbers } from './operator-metrics.js';
import { marginOf } from './own-checks.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Prometheus reads more often than a margin changes. */
const MARGIN_AGE_MS = 60_000;

/** Midnight of the day before, UTC. */
export const yesterday = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS - 1) * DAY_MS);

/** Reads the numbers of the gauges. Margins are at most a minute old. */
export function operatorNumbers(database: Database): OperatorNumbers {
  let margins: ReadonlyMap<string, bigint> = new Map();
  let readAtMs = 0;
  return {
    controls: () => listChannelControls(database),
    async margins() {
      const now = new Date();
      if (now.getTime() - readAtMs < MARGIN_AGE_MS) return margins;
      const lines = await marginReport(database, { groupBy: 'model', from: yesterday(now), to: now });
      margins = new Map(lines.map((line) => [line.group, marginOf(line)]));
      readAtMs = now.getTime();
      return margins;
    },
  };
}
