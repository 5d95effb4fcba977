import { randomBytes } from 'node:crypto';
import type { Database } from '../database.js';
import type { SecretSeal } from './secret-seal.js';

/** A secret without its value. */
export interface WebhookSecretRecord {
  readonly id: string;
  readonly createdAt: Date;
  /** Null: it is the current one. */
  readonly expiresAt: Date | null;
}

export interface RotatedSecret {
  readonly secret: string;
  readonly createdAt: Date;
  /** Null: there was none before. */
  readonly previousExpiresAt: Date | null;
}

const SECRET_BYTES = 32;

/** In the format of Standard Webhooks. */
const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The account's valid secrets, the current one first. */
export const listWebhookSecrets = (
  { prisma }: Database,
  accountId: string,
  now: Date,
): Promise<WebhookSecretRecord[]> =>
  prisma.webhookSecret.findMany({
    where: { accountId, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { id: true, createdAt: true, expiresAt: true },
    orderBy: { createdAt: 'desc' },
  });

/** Creates the account's first secret. Null: it has one, and a secret is shown only once. */
export async function createFirstSecret(
  { prisma }: Database,
  accountId: string,
  seal: SecretSeal,
): Promise<string | null> {
  const secret = newSecret();
  const created = await prisma.$executeRaw`
    INSERT INTO webhook_secret (id, account_id, sealed)
    VALUES (new_public_id('whsec'), ${accountId}, ${seal.seal(secret, accountId)}) ON CONFLICT DO NOTHING`;
  return created === 1 ? secret : null;
}

/** Creates a new secret. The former one stays valid for `graceMs`; deliveries are signed with both. */
export async function rotateSecret(
  { prisma }: Database,
  accountId: string,
  graceMs: number,
  seal: SecretSeal,
): Promise<RotatedSecret> {
  const secret = newSecret();
  const [row] = await prisma.$queryRaw<Omit<RotatedSecret, 'secret'>[]>`
    SELECT created_at AS "createdAt", previous_expires_at AS "previousExpiresAt"
    FROM rotate_webhook_secret(${accountId}, ${seal.seal(secret, accountId)}, ${graceMs}::bigint)`;
  if (row === undefined) throw new Error('rotate_webhook_secret() returned no row');
  return { secret, ...row };
}

/** The secrets that sign, the current one first. Creates the first secret of an account. */
export async function signingSecrets(
  database: Database,
  accountId: string,
  seal: SecretSeal,
): Promise<readonly string[]> {
  const read = () =>
    database.prisma.$queryRaw<{ sealed: string }[]>`
      SELECT sealed FROM webhook_secret
      WHERE account_id = ${accountId} AND (expires_at IS NULL OR expires_at > now()) ORDER BY expires_at DESC NULLS FIRST`;
  let rows = await read();
  if (rows.length === 0) {
    await createFirstSecret(database, accountId, seal);
    rows = await read();
  }
  return rows.map(({ sealed }) => seal.open(sealed, accountId));
}
