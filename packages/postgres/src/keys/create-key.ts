import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, toKeyData, toKeyRecord } from './api-key-record.js';

export interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  /** The member whose key it is; absent: the organisation's own. */
  readonly memberId?: string | null;
  readonly sha256: string;
  readonly prefix: string;
  readonly isTest: boolean;
}

export const createKey = async (
  { prisma }: Database,
  key: NewApiKey,
  settings: ApiKeySettings,
): Promise<ApiKeyRecord> =>
  toKeyRecord({ ...(await prisma.apiKey.create({ data: { ...key, ...toKeyData(settings) } })), spendingKey: null });
