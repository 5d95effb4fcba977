import { type SyncTicket, syncTicket } from '@gateway/contracts';
import { z } from 'zod';

/** Tickets per job: one worker must not get a batch that several could share. */
const MAX_BUNDLE = 8;

/** A job's data: one ticket, or the tickets that an edge queued in one iteration of its event loop. */
export type TicketJob = SyncTicket | { readonly tickets: readonly SyncTicket[] };

const bundle = z.object({ tickets: z.array(z.unknown()).min(1).max(MAX_BUNDLE) });

/** Parses each ticket of a job separately: a malformed one does not stop the others. */
export function ticketsOf(data: unknown): z.ZodSafeParseResult<SyncTicket>[] {
  const bundled = isBundle(data) ? bundle.safeParse(data) : undefined;
  return (bundled?.success === true ? bundled.data.tickets : [data]).map((ticket) => syncTicket.safeParse(ticket));
}

const isBundle = (data: unknown): boolean => typeof data === 'object' && data !== null && 'tickets' in data;

interface Waiting {
  readonly ticket: SyncTicket;
  readonly added: PromiseWithResolvers<void>;
}

/**
 * Bundles the tickets of one event loop iteration into few jobs. A job costs about as much as all other work of a short request:
 * under load several requests share that cost, and a single request never waits for others.
 */
export class TicketBundler {
  /** Another one for each iteration: a cleared map would keep its tickets in the table that it leaves behind. */
  #waiting = new Map<string, Waiting>();

  constructor(private readonly add: (job: TicketJob, jobId: string) => Promise<unknown>) {}

  /** Resolves when the ticket is on the queue. A request that is enqueued twice in one iteration is one ticket. */
  enqueue(ticket: SyncTicket): Promise<void> {
    const known = this.#waiting.get(ticket.requestId);
    if (known !== undefined) return known.added.promise;
    if (this.#waiting.size === 0) setImmediate(() => this.#flush());
    const added = Promise.withResolvers<void>();
    this.#waiting.set(ticket.requestId, { ticket, added });
    return added.promise;
  }

  #flush(): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (let start = 0; start < waiting.length; start += MAX_BUNDLE) {
      this.#send(waiting.slice(start, start + MAX_BUNDLE));
    }
  }

  #send(bundled: readonly Waiting[]): void {
    const tickets = bundled.map(({ ticket }) => ticket);
    const [first] = tickets;
    if (first === undefined) return;
    // A bundle's id is no request id: removing one request must not remove the others.
    const sent =
      tickets.length === 1 ? this.add(first, first.requestId) : this.add({ tickets }, `bundle-${first.requestId}`);
    sent.then(
      () => {
        for (const { added } of bundled) added.resolve();
      },
      (error: unknown) => {
        for (const { added } of bundled) added.reject(error);
      },
    );
  }
}
