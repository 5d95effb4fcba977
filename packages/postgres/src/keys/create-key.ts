import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, asData, asRecord } from './api-key-record.js';

export interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly sha256: string;
  readonly prefix: string;
  readonly isTest: boolean;
}

export const createKey = async (
  { prisma }: Database,
  key: NewApiKey,
  settings: ApiKeySettings,
): Promise<ApiKeyRecord> =>
  asRecord({ ...(await prisma.apiKey.create({ data: { ...key, ...asData(settings) } })), spendingKey: null });
