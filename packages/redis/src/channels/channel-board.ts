import { type ChannelControl, channelControl, type ProcessReport, processReport } from '@gateway/contracts';
import { z } from 'zod';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';

/** A process that has reported nothing for so long has ended, or cannot reach Redis. */
const STALE_AFTER_MS = 10_000;
const FORGOTTEN_AFTER_MS = 60_000;

const controlList = z.array(channelControl);

/**
 * What worker processes report, and what administrators have set for their channels. All of it can be lost: processes
 * report every one to three seconds, and accounts publishes the controls again from PostgreSQL. `redis` is that of the queues.
 */
export class ChannelBoard {
  constructor(
    private readonly redis: RedisConnection,
    private readonly keys: RedisKeys = redisKeys(),
  ) {}

  async report(report: ProcessReport): Promise<void> {
    await this.redis.hset(this.keys.processReports, report.processId, JSON.stringify(report));
  }

  /** A process that ends. */
  async leave(processId: string): Promise<void> {
    await this.redis.hdel(this.keys.processReports, processId);
  }

  /** The processes that have reported within ten seconds. Forgets those that have not within a minute. */
  async processes(nowMs = Date.now()): Promise<readonly ProcessReport[]> {
    const fields = await this.redis.hgetall(this.keys.processReports);
    const reports = Object.entries(fields).map(([processId, json]) => ({ processId, report: parseReport(json) }));
    const ageOf = (report: ProcessReport | undefined) => nowMs - (report?.atMs ?? 0);
    const gone = reports.filter(({ report }) => ageOf(report) > FORGOTTEN_AFTER_MS).map(({ processId }) => processId);
    if (gone.length > 0) await this.redis.hdel(this.keys.processReports, ...gone);
    return reports.flatMap(({ report }) => (report !== undefined && ageOf(report) <= STALE_AFTER_MS ? [report] : []));
  }

  async publishControls(controls: readonly ChannelControl[]): Promise<void> {
    await this.redis.set(this.keys.channelControls, JSON.stringify(controls));
  }

  /** Null: Redis has lost them, so the last known ones still hold. */
  async controls(): Promise<readonly ChannelControl[] | null> {
    const json = await this.redis.get(this.keys.channelControls);
    return json === null ? null : controlList.parse(JSON.parse(json));
  }
}

/** Undefined: a process of another release. */
function parseReport(json: string): ProcessReport | undefined {
  try {
    return processReport.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
