import type { FileId, MediaProbe } from '@gateway/contracts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.js';

/** `image_<n>`: an image of a request, from 0. */
type ResultPart = 'video' | 'last_frame' | `image_${number}`;

/** A vendor's result that a worker is to fetch. */
export interface ClaimedResult {
  /** The file that it becomes. */
  readonly fileId: FileId;
  /** The task, or the request of an image. */
  readonly taskId: string;
  readonly part: ResultPart;
  readonly accountId: string;
  readonly keyId: string;
  readonly isTest: boolean;
  readonly sourceUrl: string;
  /** Null: not a video. */
  readonly billedSeconds: number | null;
  /** How long its client keeps it. Null: as long as the media of its account. */
  readonly retainMs: number | null;
  /** With this one. */
  readonly attempts: number;
}

/** One attempt at a result. Its number distinguishes it from a later one. */
export type ResultClaim = Pick<ClaimedResult, 'fileId' | 'attempts'>;

/** An image that its vendor answered by address. */
export type NewImageResult = Pick<ClaimedResult, 'fileId' | 'taskId' | 'accountId' | 'keyId' | 'sourceUrl'> & {
  readonly part: `image_${number}`;
  /** How long its vendor keeps it from now. */
  readonly sourceLastsMs: number;
};

/** How a result ends. `passed_on`: it stays at its vendor. `lost`: the vendor's address ended before it was stored. */
export type ResultEnd =
  | { readonly status: 'stored'; readonly media: MediaProbe | null }
  | { readonly status: 'passed_on' | 'lost'; readonly reason: string };

/** The results of vendors that the gateway fetches. Every call rejects if PostgreSQL is unavailable. */
export interface FetchedResults {
  /** Adds images to fetch. A request that runs again replaces those of its lost run. */
  addImages(images: readonly NewImageResult[]): Promise<void>;
  /** Takes due results for this long. Each is taken by one caller. */
  claim(limit: number, leaseMs: number): Promise<readonly ClaimedResult[]>;
  /** Keeps results for this long from now. Returns those that the caller still has. */
  renew(claims: readonly ResultClaim[], leaseMs: number): Promise<readonly FileId[]>;
  /** Changes nothing if another attempt has the result. */
  end(claim: ResultClaim, end: ResultEnd): Promise<void>;
  /** Makes a result due at once, unless another attempt has it. */
  return(claim: ResultClaim, reason: string): Promise<void>;
  /** Makes a result due again, unless another attempt has it. False: its vendor's address ends before, so it is lost. */
  retry(claim: ResultClaim, reason: string, inMs: number): Promise<boolean>;
  /** Removes rows of results whose vendor's address ended so long ago. Returns how many. */
  removeOld(olderThanMs: number, limit: number): Promise<number>;
  backlog(): Promise<FetchBacklog>;
  close(): Promise<void>;
}

export interface FetchBacklog {
  readonly pending: number;
  /** Seconds since the oldest pending result was made; 0 if there is none. */
  readonly oldestSeconds: number;
}

interface FetchedResultRow {
  readonly file_id: string;
  readonly task_id: string;
  readonly part: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly is_test: boolean;
  readonly source_url: string;
  readonly billed_seconds: number | null;
  readonly retain_seconds: number | null;
  readonly attempts: number;
}

const readResult = (row: FetchedResultRow): ClaimedResult => ({
  fileId: row.file_id as FileId,
  taskId: row.task_id,
  part: row.part as ClaimedResult['part'],
  accountId: row.account_id,
  keyId: row.key_id,
  isTest: row.is_test,
  sourceUrl: row.source_url,
  billedSeconds: row.billed_seconds,
  retainMs: row.retain_seconds === null ? null : row.retain_seconds * 1_000,
  attempts: row.attempts,
});

const addImages = async ({ prisma }: Database, images: readonly NewImageResult[]): Promise<void> => {
  await prisma.$executeRaw`
    INSERT INTO fetched_result (file_id, task_id, part, account_id, key_id, is_test, source_url, source_expires_at)
    SELECT "fileId", "taskId", part, "accountId", "keyId", false, "sourceUrl",
      clock_timestamp() + make_interval(secs => "sourceLastsMs" / 1000)
    FROM jsonb_to_recordset(${JSON.stringify(images)}::jsonb) AS image ("fileId" text, "taskId" text, part text,
      "accountId" text, "keyId" text, "sourceUrl" text, "sourceLastsMs" float8)
    ON CONFLICT (task_id, part) DO UPDATE SET file_id = excluded.file_id, source_url = excluded.source_url,
      source_expires_at = excluded.source_expires_at, status = 'pending', reason = NULL, media = NULL, attempts = 0,
      due_at = excluded.due_at`;
};

async function claimResults({ prisma }: Database, limit: number, leaseMs: number): Promise<readonly ClaimedResult[]> {
  const rows = await prisma.$queryRaw<FetchedResultRow[]>`
    UPDATE fetched_result SET attempts = attempts + 1,
      due_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}::float8)
    WHERE file_id = ANY (ARRAY(
      SELECT file_id FROM fetched_result WHERE status = 'pending' AND due_at < now()
      ORDER BY due_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))
    RETURNING *, (SELECT retain_seconds FROM video_task WHERE id = task_id)`;
  return rows.map(readResult);
}

async function renewResults(
  { prisma }: Database,
  claims: readonly ResultClaim[],
  leaseMs: number,
): Promise<readonly FileId[]> {
  const rows = await prisma.$queryRaw<{ file_id: string }[]>`
    UPDATE fetched_result AS result SET due_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}::float8)
    FROM jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) AS held ("fileId" text, attempts int)
    WHERE result.file_id = held."fileId" AND result.attempts = held.attempts AND result.status = 'pending'
    RETURNING result.file_id`;
  return rows.map(({ file_id }) => file_id as FileId);
}

async function endResult({ prisma }: Database, { fileId, attempts }: ResultClaim, end: ResultEnd): Promise<void> {
  const [reason, media] = end.status === 'stored' ? [null, end.media] : [end.reason, null];
  await prisma.$executeRaw`
    UPDATE fetched_result SET status = ${end.status}, reason = ${reason},
      media = ${media === null ? null : JSON.stringify(media)}::jsonb
    WHERE file_id = ${fileId} AND attempts = ${attempts}::int AND status = 'pending'`;
}

async function returnResult({ prisma }: Database, { fileId, attempts }: ResultClaim, reason: string): Promise<void> {
  await prisma.$executeRaw`
    UPDATE fetched_result SET reason = ${reason}, due_at = clock_timestamp()
    WHERE file_id = ${fileId} AND attempts = ${attempts}::int AND status = 'pending'`;
}

async function retryResult(
  { prisma }: Database,
  { fileId, attempts }: ResultClaim,
  reason: string,
  inMs: number,
): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ status: string }[]>`
    UPDATE fetched_result SET reason = ${reason}, due_at = next.due_at,
      status = CASE WHEN next.due_at < source_expires_at THEN 'pending' ELSE 'lost' END
    FROM (SELECT clock_timestamp() + make_interval(secs => ${inMs / 1_000}::float8) AS due_at) AS next
    WHERE file_id = ${fileId} AND attempts = ${attempts}::int AND status = 'pending'
    RETURNING status`;
  return rows[0]?.status !== 'lost';
}

const removeOldResults = ({ prisma }: Database, olderThanMs: number, limit: number): Promise<number> =>
  prisma.$executeRaw`
    DELETE FROM fetched_result WHERE file_id = ANY (ARRAY(
      SELECT file_id FROM fetched_result
      WHERE status <> 'pending' AND source_expires_at < now() - make_interval(secs => ${olderThanMs / 1_000}::float8)
      ORDER BY source_expires_at LIMIT ${limit}::int))`;

async function readFetchBacklog({ prisma }: Database): Promise<FetchBacklog> {
  const [row] = await prisma.$queryRaw<{ pending: bigint; oldest: number | null }[]>`
    SELECT count(*) AS pending, extract(epoch FROM now() - min(created_at))::float8 AS oldest
    FROM fetched_result WHERE status = 'pending'`;
  return { pending: Number(row?.pending ?? 0n), oldestSeconds: row?.oldest ?? 0 };
}

export function fetchedResultsIn(database: Database): FetchedResults {
  return {
    addImages: (images) => addImages(database, images),
    claim: (limit, leaseMs) => claimResults(database, limit, leaseMs),
    renew: (claims, leaseMs) => renewResults(database, claims, leaseMs),
    end: (claim, end) => endResult(database, claim, end),
    return: (claim, reason) => returnResult(database, claim, reason),
    retry: (claim, reason, inMs) => retryResult(database, claim, reason, inMs),
    removeOld: (olderThanMs, limit) => removeOldResults(database, olderThanMs, limit),
    backlog: () => readFetchBacklog(database),
    close: database.close,
  };
}

export const openFetchedResults = (options: DatabaseOptions): FetchedResults => fetchedResultsIn(openDatabase(options));
