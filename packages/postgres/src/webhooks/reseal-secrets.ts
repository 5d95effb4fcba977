import type { Database } from '../database.js';
import { isSealBroken, type SecretSeal } from './secret-seal.js';

export interface ResealResult {
  readonly resealed: number;
  /** Secrets that no configured key opens: they cannot sign until their key is back. */
  readonly broken: number;
}

interface SealedRow {
  readonly id: string;
  readonly accountId: string;
  readonly sealed: string;
}

const BATCH = 500;

/**
 * Seals with the current key all secrets that were sealed with an older key or with none. Afterwards the older key may
 * be removed. A secret that changes meanwhile is left alone, so several processes may run it at once.
 */
export async function resealSecrets({ prisma }: Database, seal: SecretSeal): Promise<ResealResult> {
  const { currentPrefix } = seal;
  let [resealed, broken, after] = [0, 0, ''];
  for (;;) {
    const rows = await prisma.$queryRaw<SealedRow[]>`
      SELECT id, account_id AS "accountId", sealed FROM webhook_secret
      WHERE id > ${after} AND NOT starts_with(sealed, ${currentPrefix}) ORDER BY id LIMIT ${BATCH}`;
    for (const row of rows) {
      const sealed = reseal(row, seal);
      if (sealed === null) broken += 1;
      else
        resealed += await prisma.$executeRaw`
        UPDATE webhook_secret SET sealed = ${sealed} WHERE id = ${row.id} AND sealed = ${row.sealed}`;
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return { resealed, broken };
    after = last.id;
  }
}

function reseal({ sealed, accountId }: SealedRow, seal: SecretSeal): string | null {
  try {
    return seal.seal(seal.open(sealed, accountId), accountId);
  } catch (error) {
    if (isSealBroken(error)) return null;
    throw error;
  }
}
