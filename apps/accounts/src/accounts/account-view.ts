import type { AccountRecord } from '@gateway/postgres';

/** An account as its owner sees it. */
export const accountView = ({ id, email, createdAt }: AccountRecord) => ({
  id,
  email,
  created_at: createdAt.toISOString(),
});
