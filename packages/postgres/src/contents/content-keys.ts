import { randomBytes } from 'node:crypto';
import type { Database } from '../database.js';
import { type ResealResult, resealRows } from '../webhooks/reseal-rows.js';
import type { SecretSeal } from '../webhooks/secret-seal.js';

const KEY_BYTES = 32;

interface Row {
  readonly accountId: string;
  readonly sealed: string;
}

const opened = ({ accountId, sealed }: Row, seal: SecretSeal): Buffer =>
  Buffer.from(seal.open(sealed, accountId), 'base64');

/** The key that seals an account's contents; null: the account has kept nothing yet. Throws if no configured key opens it. */
export async function findContentKey(
  { prisma }: Database,
  accountId: string,
  seal: SecretSeal,
): Promise<Buffer | null> {
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT account_id AS "accountId", sealed FROM content_key WHERE account_id = ${accountId}`;
  return row === undefined ? null : opened(row, seal);
}

/** The same, and makes it the first time. Two processes that make it at once get the same one. */
export async function requireContentKey(database: Database, accountId: string, seal: SecretSeal): Promise<Buffer> {
  const found = await findContentKey(database, accountId, seal);
  if (found !== null) return found;
  const sealed = seal.seal(randomBytes(KEY_BYTES).toString('base64'), accountId);
  await database.prisma.$executeRaw`
    INSERT INTO content_key (account_id, sealed) VALUES (${accountId}, ${sealed}) ON CONFLICT DO NOTHING`;
  const made = await findContentKey(database, accountId, seal);
  if (made === null) throw new Error(`content_key: the account ${accountId} has no key after it was made`);
  return made;
}

/**
 * Seals with the current master key all keys that an older one sealed. Afterwards the older one may be removed. The
 * contents stay as they are. `broken`: keys that no configured master key opens.
 */
export const resealContentKeys = ({ prisma }: Database, seal: SecretSeal): Promise<ResealResult> =>
  resealRows(seal, {
    page: (afterId, limit) => prisma.$queryRaw`
      SELECT account_id AS id, account_id AS "accountId", sealed FROM content_key
      WHERE account_id > ${afterId} AND NOT starts_with(sealed, ${seal.currentPrefix}) ORDER BY account_id LIMIT ${limit}`,
    replace: ({ accountId, sealed: before }, sealed) => prisma.$executeRaw`
      UPDATE content_key SET sealed = ${sealed} WHERE account_id = ${accountId} AND sealed = ${before}`,
  });
