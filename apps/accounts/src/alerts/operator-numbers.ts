import { type Database, listChannelControls, marginReport, recentReads } from '@gateway/postgres';
import type { OperatorNumbers } from './operator-metrics.js';
import { marginOf } from './own-checks.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Prometheus reads more often than a margin changes. */
const MARGIN_AGE_MS = 60_000;

/** Midnight of the day before, UTC. */
export const yesterday = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS - 1) * DAY_MS);

/** Reads the numbers of the gauges. Margins are at most a minute old. */
export function operatorNumbers(database: Database): OperatorNumbers {
  const margins = recentReads(MARGIN_AGE_MS, async () => {
    const now = new Date();
    const lines = await marginReport(database, { groupBy: 'model', from: yesterday(now), to: now });
    return new Map(lines.map((line) => [line.group, marginOf(line)]));
  });
  return { controls: () => listChannelControls(database), margins: () => margins() };
}
