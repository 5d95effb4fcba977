import type { AccountRecord } from '@gateway/postgres';
import { z } from 'zod';
import { time } from './answers.js';

/** An account, which is an organisation, as its members see it. */
export const accountRecord = z
  .object({ id: z.string(), name: z.string(), email: z.string(), created_at: time })
  .meta({ id: 'Account' });

export const accountView = ({ id, name, email, createdAt }: AccountRecord): z.output<typeof accountRecord> => ({
  id,
  name,
  email,
  created_at: createdAt.toISOString(),
});
