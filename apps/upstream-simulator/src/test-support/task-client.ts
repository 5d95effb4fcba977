import type { TaskLine } from '../control/task-line.js';
import type { JournalLine } from '../journal/journal.js';
import { startForTests } from './start-for-tests.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each vendor has bodies of its own
  readonly body: any;
}

export type QueryLine = Readonly<{ vendor: string; credential: string; answered: number; refused: number }>;

/** A client of one vendor's tasks and of the control endpoints. */
export class TaskClient {
  #accounts = 0;
  credential = 'k';

  private constructor(
    readonly url: string,
    private readonly prefix: string,
  ) {}

  /** `prefix`: the start of all paths. */
  static async start(prefix: string): Promise<TaskClient> {
    return new TaskClient(await startForTests(), prefix);
  }

  /** From now on uses a new credential. */
  useNewAccount(): void {
    this.#accounts += 1;
    this.credential = `k${this.#accounts}`;
  }

  get(path: string, credential = this.credential): Promise<Reply> {
    return this.call('GET', path, undefined, { authorization: `Bearer ${credential}` });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    return this.call('POST', path, body, { authorization: `Bearer ${this.credential}`, ...headers });
  }

  async call(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Reply> {
    const response = await fetch(this.url + this.prefix + path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
  }

  /** The journal after all calls and tasks have ended. */
  async journal(): Promise<readonly JournalLine[]> {
    const response = await fetch(`${this.url}/__journal?wait_idle=true&wait_tasks=true`);
    const body = (await response.json()) as { entries: JournalLine[] };
    if (response.status !== 200) throw new Error(JSON.stringify(body));
    return body.entries;
  }

  /** The journal line of the last submission. */
  async lastInvoice(): Promise<JournalLine | undefined> {
    return (await this.journal()).findLast((line) => line.task_state !== undefined);
  }

  async tasks(): Promise<{ tasks: TaskLine[]; queries: QueryLine[] }> {
    return (await (await fetch(`${this.url}/__tasks`)).json()) as { tasks: TaskLine[]; queries: QueryLine[] };
  }

  /** `path`: `finish`, or a task's id. */
  async move(path: string, command: object = {}): Promise<Reply> {
    const response = await fetch(`${this.url}/__tasks/${path}`, { method: 'POST', body: JSON.stringify(command) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  }
}
