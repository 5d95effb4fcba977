import type { AccountEvent } from '@gateway/contracts';

export const eventView = (event: AccountEvent) => ({
  id: event.id,
  type: event.type,
  subject: event.subject,
  test: event.isTest,
  created_at: event.createdAt.toISOString(),
  data: event.data,
});
