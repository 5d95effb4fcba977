import type { DurableRequest, Vendor } from '@gateway/contracts';
import { createTicketQueue, type RedisConnection, type SyncQueue } from '@gateway/redis';

/** Queues the ticket of a stored request. Rejects while Redis is away. */
export type QueueAgain = (request: Pick<DurableRequest, 'ticket' | 'vendor' | 'isTest'>) => Promise<void>;

interface TicketQueues {
  readonly queueAgain: QueueAgain;
  close(): Promise<unknown>;
}

/** Opens the queues of the vendors that this worker serves: a sweep queues requests of no other ones. */
export async function openTicketQueues(redis: RedisConnection, vendors: readonly Vendor[]): Promise<TicketQueues> {
  const open = async (kind: 'sync' | 'sync-test') =>
    new Map(
      await Promise.all(vendors.map(async (vendor) => [vendor, await createTicketQueue(redis, kind, vendor)] as const)),
    );
  const [live, test] = await Promise.all([open('sync'), open('sync-test')]);
  const all: readonly SyncQueue[] = [...live.values(), ...test.values()];
  return {
    queueAgain: async ({ ticket, vendor, isTest }) => {
      const queue = (isTest ? test : live).get(vendor);
      if (queue === undefined) throw new Error(`no queue of ${vendor}`);
      await queue.enqueue(ticket);
    },
    close: () => Promise.all(all.map((queue) => queue.close())),
  };
}
