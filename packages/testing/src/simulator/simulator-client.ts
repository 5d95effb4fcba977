import { callJson } from '../http/json-call.js';

/** Token counts of one upstream call; their sum is the total. */
export interface InvoiceUsage {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_tokens: number;
  readonly output_tokens: number;
  /** What is billed besides text tokens, by the name of its unit. */
  readonly units?: Readonly<Record<string, number>>;
}

/** One line of the upstream's own invoice. */
export interface JournalEntry {
  readonly seq: number;
  readonly vendor: string;
  readonly protocol: string;
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
  /** The directive `tag` of its prompt. */
  readonly tag?: string;
  /** Billed besides the response, each at its own model. */
  readonly billed_apart?: readonly { readonly type: string; readonly model: string; readonly usage: InvoiceUsage }[];
}

/** A task as the upstream stores it, independent of what the vendor reports. */
export interface UpstreamTask {
  readonly vendor: string;
  readonly id: string;
  readonly model: string;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired';
  readonly submission: number;
  readonly polls: number;
  readonly prompt: string;
  readonly billed: InvoiceUsage | null;
}

/** A request as the upstream received it; `seq` is its line in the journal. */
export interface ReceivedRequest {
  readonly seq: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SimulatedFault {
  readonly vendor: string;
  readonly status?: number;
  readonly delay_ms?: number;
  readonly drop?: boolean;
  readonly rate?: number;
  readonly for_ms?: number;
}

const MAX_CONCURRENT = 50;

/** The control interface of the upstream simulator: received requests, invoices and injected faults. */
export class SimulatorClient {
  constructor(readonly url: string) {}

  /** The number of the last call: `journal(since)` returns the calls after it. */
  async lastSeq(): Promise<number> {
    return (await this.#journal(Number.MAX_SAFE_INTEGER, false)).last_seq;
  }

  async journal(since: number): Promise<readonly JournalEntry[]> {
    return (await this.#journal(since, false)).entries;
  }

  /** The calls whose prompts have this tag. */
  async taggedJournal(since: number, tag: string): Promise<readonly JournalEntry[]> {
    return (await this.journal(since)).filter((entry) => entry.tag === tag);
  }

  /** The journal once no call is running any more. */
  async closedJournal(since: number): Promise<readonly JournalEntry[]> {
    const { entries } = await this.#journal(since, true);
    const open = entries.filter(({ finished_at }) => finished_at === null);
    if (open.length > 0) throw new Error(`${open.length} upstream calls are still running: ${JSON.stringify(open)}`);
    return entries;
  }

  /** The simulator stores the last 200. */
  async requests(since: number): Promise<readonly ReceivedRequest[]> {
    const { requests } = await callJson<{ requests: ReceivedRequest[] }>(`${this.url}/__requests?since=${since}`);
    return requests;
  }

  /** The tasks whose prompt contains this text. */
  async tasks(text: string): Promise<readonly UpstreamTask[]> {
    const { tasks } = await callJson<{ tasks: UpstreamTask[] }>(`${this.url}/__tasks`);
    return tasks.filter(({ prompt }) => prompt.includes(text));
  }

  /** How many times a vendor was polled for tasks, over all credentials, throttled polls included. */
  async queriesOf(vendor: string): Promise<number> {
    const { queries } = await callJson<{ queries: { vendor: string; answered: number; refused: number }[] }>(
      `${this.url}/__tasks`,
    );
    return queries
      .filter((line) => line.vendor === vendor)
      .reduce((sum, { answered, refused }) => sum + answered + refused, 0);
  }

  /** Submits `count` tasks directly to Ark with that credential; returns their ids. */
  async createArkTasks(count: number, text: string, credential: string): Promise<readonly string[]> {
    const create = async (): Promise<string> => {
      const body = { model: 'seedance-1-5-pro-251215', content: [{ type: 'text', text }], duration: 5 };
      const url = `${this.url}/ark/api/v3/contents/generations/tasks`;
      return (await callJson<{ id: string }>(url, { method: 'POST', token: credential, body })).id;
    };
    const ids: string[] = [];
    while (ids.length < count) {
      ids.push(...(await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENT, count - ids.length) }, create))));
    }
    return ids;
  }

  /** Advances a task, or ages it beyond the vendor's retention. */
  async moveTask(
    id: string,
    order: { readonly state: UpstreamTask['state'] } | { readonly forget: true },
  ): Promise<void> {
    const response = await fetch(`${this.url}/__tasks/${id}`, { method: 'POST', body: JSON.stringify(order) });
    if (!response.ok) throw new Error(`the simulator rejected to move the task: ${await response.text()}`);
  }

  /** Injects a fault for a whole vendor; replaces the previous one. */
  async fault(fault: SimulatedFault): Promise<void> {
    const response = await fetch(`${this.url}/__faults`, { method: 'POST', body: JSON.stringify(fault) });
    if (!response.ok) throw new Error(`the simulator rejected the fault: ${await response.text()}`);
  }

  async clearFaults(): Promise<void> {
    await callJson(`${this.url}/__faults`, { method: 'DELETE' });
  }

  /** Lets every address of a result fail in this way. Undefined: none does. */
  async failResults(fault: string | undefined): Promise<void> {
    const order = fault === undefined ? { method: 'DELETE' } : { method: 'POST', body: JSON.stringify({ fault }) };
    const response = await fetch(`${this.url}/__results`, order);
    if (!response.ok) throw new Error(`the simulator rejected the fault: ${await response.text()}`);
  }

  #journal(since: number, isSettled: boolean): Promise<{ entries: JournalEntry[]; last_seq: number }> {
    return callJson(`${this.url}/__journal?since=${since}${isSettled ? '&wait_idle=true' : ''}`);
  }
}
