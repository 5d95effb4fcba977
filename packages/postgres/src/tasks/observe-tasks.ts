import type { VideoTaskState } from '@gateway/contracts';
import type { Database } from '../database.js';

export interface TaskCount {
  readonly state: VideoTaskState;
  readonly model: string;
  readonly count: number;
  /** Age of the oldest one. */
  readonly ageSeconds: number;
}

/** Counts open tasks by state and model. */
export async function countOpenTasks({ prisma }: Database): Promise<readonly TaskCount[]> {
  const rows = await prisma.$queryRaw<{ state: string; model: string; count: bigint; age: number }[]>`
    SELECT state, model, count(*) AS count, extract(epoch FROM now() - min(created_at))::float8 AS age
    FROM video_task WHERE NOT is_final_task(state) GROUP BY state, model`;
  return rows.map(({ state, model, count, age }) => ({
    state: state as VideoTaskState,
    model,
    count: Number(count),
    ageSeconds: age,
  }));
}

/**
 * Counts the open tasks of each channel, which share its rate limit of polls. One query serves all channels, because it
 * reads the index of open tasks only.
 */
export async function countOpenByChannel({ prisma }: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await prisma.$queryRaw<{ channel_id: string; count: bigint }[]>`
    SELECT channel_id, count(*) AS count FROM video_task
    WHERE NOT is_final_task(state) AND channel_id IS NOT NULL GROUP BY channel_id`;
  return new Map(rows.map(({ channel_id, count }) => [channel_id, Number(count)]));
}

/** Counts an account's tasks that the vendor kept back since that time. Test tasks cost nothing and do not count. */
export async function countModeratedTasks(
  { prisma }: Database,
  { accountId, vendor, sinceMs }: { readonly accountId: string; readonly vendor: string; readonly sinceMs: number },
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM video_task
    WHERE account_id = ${accountId} AND state = 'failed' AND created_at >= to_timestamp(${sinceMs}::numeric / 1000.0)
      AND vendor = ${vendor} AND NOT is_test AND error->>'code' ILIKE '%moderat%'`;
  return Number(row?.count ?? 0);
}

const MAX_SAMPLES = 20;
/** Bounds the scan of a model whose tasks only fail. */
const MAX_SCANNED = 500;

/** The median duration of the latest successful tasks of a model, in milliseconds. Null: none has succeeded. */
export async function usualDurationMs({ prisma }: Database, model: string): Promise<number | null> {
  const [row] = await prisma.$queryRaw<{ usual: number | null }[]>`
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM finished_at - submitted_at) * 1000)::float8 AS usual
    FROM (
      SELECT finished_at, submitted_at FROM (
        SELECT finished_at, submitted_at, state FROM video_task
        WHERE model = ${model} AND finished_at IS NOT NULL
        ORDER BY finished_at DESC LIMIT ${MAX_SCANNED}) AS ended
      WHERE state = 'succeeded'
      ORDER BY finished_at DESC LIMIT ${MAX_SAMPLES}) AS latest`;
  return row?.usual ?? null;
}

/** Those of an upstream's task ids that already belong to a task. */
export async function knownUpstreamTasks(
  { prisma }: Database,
  channelId: string,
  upstreamTaskIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await prisma.$queryRaw<{ upstream_task_id: string }[]>`
    SELECT upstream_task_id FROM video_task
    WHERE channel_id = ${channelId} AND upstream_task_id = ANY(${[...upstreamTaskIds]}::text[])`;
  return new Set(rows.map(({ upstream_task_id }) => upstream_task_id));
}

/** Counts other submissions of the model to the channel in a period: each may have created the found upstream task. */
export async function rivalSubmissions(
  { prisma }: Database,
  of: {
    readonly taskId: string;
    readonly channelId: string;
    readonly model: string;
    readonly fromMs: number;
    readonly untilMs: number;
    /** The prompt that the upstream returns; null: it returns none, and any submission may be a rival. */
    readonly prompt: string | null;
  },
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) AS count FROM video_task
    WHERE channel_id = ${of.channelId} AND model = ${of.model} AND id <> ${of.taskId} AND upstream_task_id IS NULL
      AND asked_at BETWEEN to_timestamp(${of.fromMs}::float8 / 1000.0) AND to_timestamp(${of.untilMs}::float8 / 1000.0)
      AND (NOT is_final_task(state) OR state = 'expired')
      AND (${of.prompt}::text IS NULL OR prompt IS NULL OR prompt = ${of.prompt}::text)`;
  return Number(row?.count ?? 0n);
}
