import { type SyncTicket, syncTicket } from '@gateway/contracts';
import { z } from 'zod';

/** At most so many tickets travel in one job: one worker must not be handed a crowd that others could share. */
const LARGEST_BUNDLE = 8;

/** A job's data: one ticket as it is, or the tickets of one turn of an edge's event loop. */
export type TicketJob = SyncTicket | { readonly tickets: readonly SyncTicket[] };

const bundle = z.object({ tickets: z.array(z.unknown()).min(1).max(LARGEST_BUNDLE) });

/** The tickets of a job, each readable or with what is wrong with it: one that cannot be read does not hold up the others. */
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
 * Gathers the tickets of one turn of the event loop into few jobs. A job costs Redis and both its ends about as much as
 * everything else that a short request does; under load several requests share that cost, and alone none waits.
 */
export class TicketBundler {
  readonly #waiting = new Map<string, Waiting>();

  constructor(private readonly add: (job: TicketJob, jobId: string) => Promise<unknown>) {}

  /** Resolves when the ticket is on the queue. The same request twice in one turn is one ticket. */
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
    this.#waiting.clear();
    for (let start = 0; start < waiting.length; start += LARGEST_BUNDLE) {
      this.#send(waiting.slice(start, start + LARGEST_BUNDLE));
    }
  }

  #send(bundled: readonly Waiting[]): void {
    const tickets = bundled.map(({ ticket }) => ticket);
    const [first] = tickets;
    if (first === undefined) return;
    // A bundle has an id of its own kind: who takes back one request must not take back its neighbours.
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
