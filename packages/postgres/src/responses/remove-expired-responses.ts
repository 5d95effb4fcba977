import type { Database } from '../database.js';

/** Removes pieces of answers whose time is over, the oldest first and at most `limit`; says how many. */
export const removeExpiredResponses = ({ prisma }: Database, limit: number): Promise<number> => prisma.$executeRaw`
  DELETE FROM kept_answer_piece WHERE (request_id, number) IN (
    SELECT request_id, number FROM kept_answer_piece
    WHERE kept_until < now() ORDER BY kept_until LIMIT ${limit}::int)`;
