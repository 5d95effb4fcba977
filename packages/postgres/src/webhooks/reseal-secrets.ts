import type { Database } from '../database.js';
import { type ResealResult, resealRows } from './reseal-rows.js';
import type { SecretSeal } from './secret-seal.js';

/**
 * Seals with the current key all secrets that were sealed with an older key or with none. Afterwards the older key may
 * be removed. A secret that changes meanwhile is left alone. `broken`: secrets that cannot sign.
 */
export const resealSecrets = ({ prisma }: Database, seal: SecretSeal): Promise<ResealResult> =>
  resealRows(seal, {
    page: (afterId, limit) => prisma.$queryRaw`
      SELECT id, account_id AS "accountId", sealed FROM webhook_secret
      WHERE id > ${afterId} AND NOT starts_with(sealed, ${seal.currentPrefix}) ORDER BY id LIMIT ${limit}`,
    replace: ({ id, sealed: before }, sealed) => prisma.$executeRaw`
      UPDATE webhook_secret SET sealed = ${sealed} WHERE id = ${id} AND sealed = ${before}`,
  });
