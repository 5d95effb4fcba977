import type { AccountEventType } from '@gateway/contracts';
import type { Database } from '../database.js';
import { storableJson } from '../storable-json.js';

export interface NewEvent {
  readonly accountId: string;
  readonly type: AccountEventType;
  readonly subject: string;
  readonly data: unknown;
  /** An address that hears of this event besides the account's endpoints. */
  readonly webhookUrl: string | null;
  readonly isTest: boolean;
}

/**
 * Notes an event and sends it to the endpoints that want it. For what happens by itself: a change that is a statement of
 * its own calls the function `emit_event` in that statement, so that both are committed or neither.
 */
export async function emitEvent({ prisma }: Database, event: NewEvent): Promise<void> {
  await prisma.$queryRaw`
    SELECT emit_event(${event.accountId}, ${event.type}, ${event.subject}, ${storableJson(event.data)}::jsonb,
      ${event.webhookUrl}::text, ${event.isTest})`;
}
