import type { Database } from '../database.js';

/** Removes up to `limit` expired chunks, the oldest first. Returns their number. */
export const removeExpiredResponses = ({ prisma }: Database, limit: number): Promise<number> => prisma.$executeRaw`
  DELETE FROM kept_answer_piece WHERE (request_id, number) IN (
    SELECT request_id, number FROM kept_answer_piece
    WHERE kept_until < now() ORDER BY kept_until LIMIT ${limit}::int)`;
