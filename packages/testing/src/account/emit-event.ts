import type { Database } from '@gateway/postgres';

interface NewEvent {
  readonly accountId: string;
  readonly type: string;
  readonly subject: string;
  readonly data: unknown;
  /** A URL that gets this event besides the account's endpoints. */
  readonly webhookUrl: string | null;
  readonly isTest: boolean;
}

/**
 * Stores an event and one delivery for each endpoint that subscribes to it. Services emit events in the statement of the
 * change that they report; this one reports no change.
 */
export async function emitEvent({ prisma }: Database, event: NewEvent): Promise<void> {
  const { accountId, type, subject, data, webhookUrl, isTest } = event;
  await prisma.$queryRaw`
    SELECT emit_event(${accountId}, ${type}, ${subject}, ${JSON.stringify(data)}::jsonb, ${webhookUrl}::text, ${isTest})`;
}
