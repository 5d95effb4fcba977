import type { AccountRecord } from '@gateway/postgres';
import type { z } from 'zod';
import type { accountRecord } from './accounts.description.js';

/** An account as its owner sees it. */
export const accountView = ({ id, email, createdAt }: AccountRecord): z.output<typeof accountRecord> => ({
  id,
  email,
  created_at: createdAt.toISOString(),
});
