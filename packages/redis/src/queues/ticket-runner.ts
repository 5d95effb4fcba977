import { Slab } from '@gateway/collections';
import type { SyncTicket } from '@gateway/contracts';
import { withTimeout } from '@gateway/observability';
import type { Job } from 'bullmq';
import type { FairSlots, Turn } from './fair-slots.js';
import { isAbandoned, type Requeued, requeue } from './requeue.js';
import { ticketsOf } from './ticket-bundle.js';

/** A ticket that gets no slot for this long goes back, so that it never waits in one worker while another one idles. */
const HAND_BACK_MS = 1_000;
/** Long enough for an idle worker to be first. */
const NO_SLOT_DELAY_MS = 10;
/** Avoids a hot loop between workers that cannot reach an edge; well below `ACCEPT_TIMEOUT_MS`. */
const UNREACHABLE_DELAY_MS = 500;

/** A ticket that this release cannot parse. The edge's timer ends its request. */
export class TicketRefusedError extends Error {
  constructor(problem: string) {
    super(`ticket refused: ${problem}`);
    this.name = 'TicketRefusedError';
  }
}

export interface TicketRunnerOptions {
  /**
   * Runs one request, and calls `onClaimed` once its edge has granted it: from then on the edge notices a dead worker, and
   * the queue may forget the ticket. A stalled job may run a request twice: the claim decides. The signal aborts when the
   * worker must stop, and not when a lock is lost. `requeue` requeues the ticket for any worker.
   */
  readonly handle: (ticket: SyncTicket, signal: AbortSignal, onClaimed: () => void) => Promise<Requeued | undefined>;
  /** Receives connection errors, refused tickets and what `handle` throws. */
  readonly onError: (error: Error, requestId?: string) => void;
}

/**
 * A request that runs. It has its own signal: an `AbortSignal` that all share would chain the listeners of all requests, and
 * one in V8's old generation would keep all later ones.
 */
interface Run {
  readonly ended: Promise<unknown>;
  readonly stop: AbortController;
}

interface ReturnedTicket {
  readonly ticket: SyncTicket;
  readonly reason: Requeued | 'no_slot';
}

/** Runs the tickets of one queue in fair turns. A job ends when each of its tickets is claimed, refused or returned. */
export class TicketRunner {
  readonly #turns = new Slab<Turn>();
  readonly #runs = new Slab<Run>();
  #stopReason: Error | undefined;
  #jobCount = 0;
  #isDraining = false;

  constructor(
    private readonly options: TicketRunnerOptions,
    private readonly slots: FairSlots,
    /** The clock of Redis, in Unix milliseconds. */
    private readonly now: () => Promise<number>,
  ) {}

  /** Running requests. */
  get active(): number {
    return this.#runs.size;
  }

  /** Requests that wait here for a slot. */
  get waiting(): number {
    return this.#turns.size;
  }

  /** Jobs with tickets that are not claimed. */
  get jobCount(): number {
    return this.#jobCount;
  }

  async runJob(job: Job<unknown, void>): Promise<void> {
    this.#jobCount += 1;
    const tickets = ticketsOf(job.data);
    const results = await Promise.allSettled(tickets.map((ticket) => this.#runTicket(ticket)));
    this.#jobCount -= 1;
    const returned = await this.#awaited(
      results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    );
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    const [failure] = failures;
    if (returned.length === 0 && failure !== undefined) throw failure;
    if (failure instanceof Error) this.options.onError(failure, job.id);
    if (returned.length === 0) return;
    await requeue(job, {
      tickets: returned.map(({ ticket }) => ticket),
      isWhole: returned.length === tickets.length,
      delayMs: returned.some(({ reason }) => reason === 'requeue') ? UNREACHABLE_DELAY_MS : NO_SLOT_DELAY_MS,
    });
  }

  /**
   * Returns what waits, lets running requests end for at most `timeoutMs`, then aborts them. `jobsEnded` resolves once no
   * job runs and none is fetched: a fetch that was pending may still start a request, which also ends first.
   */
  async drain(jobsEnded: Promise<void>, timeoutMs: number, graceMs: number): Promise<void> {
    this.#isDraining = true;
    for (const turn of this.#turns) turn.withdraw();
    const ended = jobsEnded.then(() => Promise.allSettled([...this.#runs].map((run) => run.ended))).then(() => true);
    if (await withTimeout(ended, timeoutMs, () => false)) return;
    this.#stopReason = new Error('the worker is shutting down');
    for (const { stop } of this.#runs) stop.abort(this.#stopReason);
    await withTimeout(ended, graceMs, () => false);
  }

  async #runTicket(parsed: ReturnType<typeof ticketsOf>[number]): Promise<readonly ReturnedTicket[]> {
    if (!parsed.success) throw new TicketRefusedError(parsed.error.message);
    const ticket = parsed.data;
    const turn = this.slots.request(ticket.accountId, ticket.admittedAtMs, ticket.isOfBatch);
    const hasSlot = turn.isGranted || (await this.#waitFor(turn));
    const reason = hasSlot ? await this.#run(ticket, turn) : 'no_slot';
    return reason === undefined ? [] : [{ ticket, reason }];
  }

  /** Whose edge still waits. A worker whose own clock is wrong reaches no edge, and must not drop what others can run. */
  async #awaited(returned: readonly ReturnedTicket[]): Promise<readonly ReturnedTicket[]> {
    if (returned.length === 0) return returned;
    const nowMs = await this.now();
    return returned.filter(({ ticket }) => !isAbandoned(ticket, nowMs));
  }

  async #waitFor(turn: Turn): Promise<boolean> {
    if (this.#isDraining) turn.withdraw();
    const place = this.#turns.insert(turn);
    const timer = setTimeout(() => turn.withdraw(), HAND_BACK_MS);
    const isGranted = await turn.granted;
    clearTimeout(timer);
    this.#turns.remove(place, turn);
    return isGranted;
  }

  /** Resolves once the queue may forget the ticket: when it is claimed, or has ended without a claim. */
  async #run(ticket: SyncTicket, turn: Turn): Promise<Requeued | undefined> {
    const claimed = Promise.withResolvers<'claimed'>();
    const stop = new AbortController();
    if (this.#stopReason !== undefined) stop.abort(this.#stopReason);
    const ended = this.options.handle(ticket, stop.signal, () => claimed.resolve('claimed'));
    const run = { ended, stop };
    const place = this.#runs.insert(run);
    const release = (): void => {
      this.#runs.remove(place, run);
      turn.release();
    };
    ended.then(release, release);
    const first = await Promise.race([claimed.promise, ended]);
    if (first !== 'claimed') return first;
    ended.catch((error: Error) => this.options.onError(error, ticket.requestId));
    return undefined;
  }
}
