import type { AccountEventType } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';

export interface NewEvent {
  readonly accountId: string;
  readonly type: AccountEventType;
  readonly subject: string;
  readonly data: unknown;
  /** A URL that gets this event besides the account's endpoints. */
  readonly webhookUrl: string | null;
  readonly isTest: boolean;
}

/**
 * Stores an event and one delivery for each endpoint that subscribes to it. Only for events without a change in the
 * database. A statement with a change calls the SQL function `emit_event` itself, so that both commit or neither.
 */
export async function emitEvent({ prisma }: Database, event: NewEvent): Promise<void> {
  await prisma.$queryRaw`
    SELECT emit_event(${event.accountId}, ${event.type}, ${event.subject}, ${toStorableJson(event.data)}::jsonb,
      ${event.webhookUrl}::text, ${event.isTest})`;
}
