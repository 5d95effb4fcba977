import type { Database } from '../database.js';
import { type ApiKeyRecord, type ApiKeySettings, asData } from './api-key-record.js';

export interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly sha256: string;
  readonly prefix: string;
  readonly isTest: boolean;
}

export const createKey = ({ prisma }: Database, key: NewApiKey, settings: ApiKeySettings): Promise<ApiKeyRecord> =>
  prisma.apiKey.create({ data: { ...key, ...asData(settings) } });
