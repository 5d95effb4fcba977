import type { InvoiceUsage } from '../count/tokens.js';

const MAX_LABEL_LENGTH = 11;

/** Shows a test's short label; hides all but the end of what may be a real key. */
export const credentialLabel = (credential: string | undefined): string | null => {
  if (credential === undefined || credential === '') return null;
  return credential.length <= MAX_LABEL_LENGTH ? credential : `****${credential.slice(-4)}`;
};

/** Billed besides the response, at the price of its own model. */
export interface BilledApart {
  /** Such as `compaction` or `advisor_message`. */
  readonly type: string;
  readonly model: string;
  readonly usage: InvoiceUsage;
}

export interface CallFacts {
  readonly vendor: string;
  readonly protocol: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string | null;
}

export interface CallOutcome {
  /** Null: no status was sent. */
  readonly status: number | null;
  readonly isClientAbort: boolean;
  readonly usage: InvoiceUsage | null;
  readonly billed: InvoiceUsage | null;
}

/** A task that outlives the call that created it; billed at its end. */
export interface JournaledTask {
  readonly state: string;
  /** Null until the task succeeds. */
  readonly billed: InvoiceUsage | null;
}

/** One line of the vendor's invoice, as `GET /__journal` returns it. */
export interface JournalLine {
  readonly seq: number;
  readonly vendor: string;
  readonly protocol: string;
  readonly method: string;
  readonly path: string;
  readonly model: string | null;
  readonly credential: string | null;
  readonly upstream_id: string | null;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly status: number | null;
  readonly client_aborted: boolean;
  readonly usage: InvoiceUsage | null;
  readonly billed: InvoiceUsage | null;
  readonly billed_apart?: readonly BilledApart[];
  /** Terms that change the price, such as `speed: fast`. */
  readonly terms?: Readonly<Record<string, string>>;
  /** State of the task that the call created. */
  readonly task_state?: string;
  /** The directive `tag` of its prompt, by which a test finds its own calls. */
  readonly tag?: string;
}

/** An open call. Vendors set `model` and `upstreamId` once known. */
export class JournalEntry {
  model: string | null = null;
  upstreamId: string | null = null;
  task: JournaledTask | null = null;
  apart: readonly BilledApart[] = [];
  terms: Readonly<Record<string, string>> = {};
  tag: string | undefined;
  outcome: CallOutcome | null = null;
  #finishedAtMs = 0;

  constructor(
    readonly seq: number,
    private readonly facts: CallFacts,
    private readonly startedAtMs: number,
    private readonly onClose: () => void,
  ) {}

  get isOpen(): boolean {
    return this.outcome === null;
  }

  /** Only the first outcome counts. */
  close(outcome: CallOutcome): void {
    if (this.outcome !== null) return;
    this.outcome = outcome;
    this.#finishedAtMs = Date.now();
    this.onClose();
  }

  toLine(): JournalLine {
    return {
      seq: this.seq,
      ...this.facts,
      model: this.model,
      credential: this.facts.credential,
      upstream_id: this.upstreamId,
      started_at: new Date(this.startedAtMs).toISOString(),
      finished_at: this.outcome === null ? null : new Date(this.#finishedAtMs).toISOString(),
      status: this.outcome?.status ?? null,
      client_aborted: this.outcome?.isClientAbort ?? false,
      usage: this.task?.billed ?? this.outcome?.usage ?? null,
      billed: this.task?.billed ?? this.outcome?.billed ?? null,
      ...(this.outcome?.billed != null && this.apart.length > 0 && { billed_apart: this.apart }),
      ...(Object.keys(this.terms).length > 0 && { terms: this.terms }),
      ...(this.task !== null && { task_state: this.task.state }),
      ...(this.tag !== undefined && { tag: this.tag }),
    };
  }
}

/** Received calls; drops the oldest. */
export class Journal {
  readonly #entries: (JournalEntry | undefined)[];
  #lastSeq = 0;
  #running = 0;
  #idleWaiters: (() => void)[] = [];

  constructor(private readonly capacity = 100_000) {
    this.#entries = new Array<JournalEntry | undefined>(capacity);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  open(facts: CallFacts): JournalEntry {
    this.#lastSeq += 1;
    this.#running += 1;
    const entry = new JournalEntry(this.#lastSeq, facts, Date.now(), this.#onClose);
    this.#entries[this.#lastSeq % this.capacity] = entry;
    return entry;
  }

  since(seq: number): JournalLine[] {
    const lines: JournalLine[] = [];
    for (let at = Math.max(seq, this.#lastSeq - this.capacity, 0) + 1; at <= this.#lastSeq; at += 1) {
      const entry = this.#entries[at % this.capacity];
      if (entry !== undefined) lines.push(entry.toLine());
    }
    return lines;
  }

  /** Resolves when no call is open, or after `limitMs`. */
  async untilIdle(limitMs: number): Promise<void> {
    if (this.#running === 0) return;
    const idle = Promise.withResolvers<void>();
    const timer = setTimeout(idle.resolve, limitMs);
    this.#idleWaiters.push(idle.resolve);
    await idle.promise;
    clearTimeout(timer);
  }

  readonly #onClose = (): void => {
    this.#running -= 1;
    if (this.#running === 0 && this.#idleWaiters.length > 0) {
      const waiters = this.#idleWaiters;
      this.#idleWaiters = [];
      for (const wake of waiters) wake();
    }
  };
}
