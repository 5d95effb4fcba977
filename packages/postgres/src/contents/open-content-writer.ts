import { type Database, type DatabaseOptions, openDatabase } from '../database.js';
import { secretSeal } from '../webhooks/secret-seal.js';
import { requireContentKey } from './content-keys.js';
import { type ContentPlace, type RequestContent, sealContent } from './request-content.js';

/** How long contents are kept. */
const KEPT_FOR_HOURS = 24;
/** A key of an account that was deleted is used no longer than this, and its rows are refused anyway. */
const KEY_CACHED_MS = 60_000;
const MAX_CACHED_KEYS = 1_000;

/** Keeps the contents of requests. Every call rejects if PostgreSQL is unavailable. */
export interface ContentWriter {
  /** False: the key has ended, or keeps contents no longer. */
  keep(place: ContentPlace & { readonly keyId: string }, content: RequestContent): Promise<boolean>;
  close(): Promise<void>;
}

/** `contentKeys`: the master keys, the current one first. */
export const openContentWriter = (options: DatabaseOptions & { readonly contentKeys: readonly Buffer[] }) =>
  contentWriterIn(openDatabase(options), options.contentKeys);

function contentWriterIn(database: Database, contentKeys: readonly Buffer[]): ContentWriter {
  const seal = secretSeal(contentKeys);
  const cached = new Map<string, { readonly key: Promise<Buffer>; readonly untilMs: number }>();
  const keyOf = (accountId: string): Promise<Buffer> => {
    const found = cached.get(accountId);
    if (found !== undefined && found.untilMs > Date.now()) return found.key;
    if (cached.size >= MAX_CACHED_KEYS) cached.clear();
    const key = requireContentKey(database, accountId, seal);
    cached.set(accountId, { key, untilMs: Date.now() + KEY_CACHED_MS });
    key.catch(() => cached.delete(accountId));
    return key;
  };
  return {
    async keep({ keyId, ...place }, content) {
      const sealed = sealContent(content, await keyOf(place.accountId), place);
      // The lock of the key makes its end wait: a row of an ended key would outlive the removal. The account's key must be
      // the one that sealed the row.
      const kept = await database.prisma.$executeRaw`
        INSERT INTO request_content (request_id, account_id, key_id, sealed, bytes, expires_at)
        SELECT ${place.requestId}, account_id, id, ${sealed}, ${sealed.length}::int,
          clock_timestamp() + make_interval(hours => ${KEPT_FOR_HOURS}::int)
        FROM (
          SELECT id, account_id FROM api_key
          WHERE id = ${keyId} AND account_id = ${place.accountId} AND revoked_at IS NULL AND keep_contents
            AND EXISTS (SELECT 1 FROM content_key WHERE content_key.account_id = api_key.account_id)
          FOR SHARE OF api_key
        ) AS living
        ON CONFLICT DO NOTHING`;
      return kept > 0;
    },
    close: database.close,
  };
}
