import { randomBytes } from 'node:crypto';
import type { Database } from '../database.js';
import { isSealBroken, type SecretSeal } from '../webhooks/secret-seal.js';

const KEY_BYTES = 32;
const BATCH = 500;

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
export async function resealContentKeys(
  { prisma }: Database,
  seal: SecretSeal,
): Promise<{ readonly resealed: number; readonly broken: number }> {
  let [resealed, broken, after] = [0, 0, ''];
  for (;;) {
    const rows = await prisma.$queryRaw<Row[]>`
      SELECT account_id AS "accountId", sealed FROM content_key
      WHERE account_id > ${after} AND NOT starts_with(sealed, ${seal.currentPrefix}) ORDER BY account_id LIMIT ${BATCH}`;
    for (const row of rows) {
      const sealed = sealedAgain(row, seal);
      if (sealed === null) broken += 1;
      else {
        const where = { accountId: row.accountId, sealed: row.sealed };
        resealed += (await prisma.contentKey.updateMany({ where, data: { sealed } })).count;
      }
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return { resealed, broken };
    after = last.accountId;
  }
}

/** Null: no configured key opens it. */
function sealedAgain({ accountId, sealed }: Row, seal: SecretSeal): string | null {
  try {
    return seal.seal(seal.open(sealed, accountId), accountId);
  } catch (error) {
    if (isSealBroken(error)) return null;
    throw error;
  }
}
