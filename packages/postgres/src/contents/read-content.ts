import type { Database } from '../database.js';
import type { SecretSeal } from '../webhooks/secret-seal.js';
import { findContentKey } from './content-keys.js';
import { type ContentPlace, openContent, type RequestContent } from './request-content.js';

export interface KeptContent extends RequestContent {
  readonly keyId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Null: nothing is kept of this request, or no longer. Throws if no configured key opens it. */
export async function readContent(
  database: Database,
  place: ContentPlace,
  seal: SecretSeal,
): Promise<KeptContent | null> {
  const where = { ...place, expiresAt: { gt: new Date() } };
  const row = await database.prisma.requestContent.findFirst({ where });
  const key = row === null ? null : await findContentKey(database, place.accountId, seal);
  if (row === null || key === null) return null;
  const { keyId, createdAt, expiresAt, sealed } = row;
  return { keyId, createdAt, expiresAt, ...openContent(Buffer.from(sealed), key, place) };
}

/** Removes up to `limit` contents whose time is over, the oldest first. Returns their number. */
export const removeExpiredContents = ({ prisma }: Database, limit: number): Promise<number> => prisma.$executeRaw`
  DELETE FROM request_content WHERE request_id IN (
    SELECT request_id FROM request_content WHERE expires_at < now() ORDER BY expires_at LIMIT ${limit}::int)`;
