import type { Database } from '../database.js';

/** Where a result of a vendor was fetched from, and how that ended. */
export interface ResultOrigin {
  /** The file that it becomes. */
  readonly fileId: string;
  /** `video`, `last_frame`, or `image_<n>`. */
  readonly part: string;
  readonly status: string;
  /** Why the last attempt failed, or why it was left at its vendor. Null: nothing failed. */
  readonly reason: string | null;
  readonly attempts: number;
  readonly sourceUrl: string;
  readonly sourceExpiresAt: Date;
}

/**
 * The results of a request of this account, by the ids of the request and of its task. A result has a row until 60 days after
 * its vendor's address ended.
 */
export const listResultOrigins = (
  { prisma }: Database,
  accountId: string,
  ids: readonly string[],
): Promise<readonly ResultOrigin[]> =>
  prisma.fetchedResult.findMany({
    where: { accountId, taskId: { in: [...ids] } },
    orderBy: { part: 'asc' },
    select: {
      ...{ fileId: true, part: true, status: true, reason: true, attempts: true },
      ...{ sourceUrl: true, sourceExpiresAt: true },
    },
  });
