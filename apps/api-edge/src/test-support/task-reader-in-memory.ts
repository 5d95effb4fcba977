import type {
  AccountEvent,
  AccountEventType,
  AccountId,
  KeyId,
  KeyRecord,
  RequestId,
  StoredVideoTask,
  TaskId,
} from '@gateway/contracts';
import type { TaskAccess, TaskQuery, TaskReader } from '@gateway/postgres';

type ReadTask = NonNullable<Awaited<ReturnType<TaskReader['findTask']>>>;

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** `task_…` ids that differ in one letter. */
export const taskId = (number: number): TaskId => `task_${letters[number] ?? 'z'}${'a'.repeat(25)}` as TaskId;

export const keyOf = (fields: Partial<KeyRecord> = {}): KeyRecord => ({
  keyId: 'key_a' as KeyId,
  accountId: 'acct_a' as AccountId,
  keySha256: '',
  isTest: false,
  isRevoked: false,
  isAccountSuspended: false,
  expiresAtMs: null,
  models: null,
  endpoints: null,
  keyLimits: { requestsPerMinute: null, concurrency: null },
  accountLimits: { requestsPerMinute: 0, concurrency: 0 },
  allowedIps: null,
  scopes: [],
  spendCap: null,
  priceOverrides: [],
  ...fields,
});

export const storedTask = (number: number, fields: Partial<StoredVideoTask> = {}): ReadTask => ({
  taskId: taskId(number),
  publicId: taskId(number),
  requestId: `req_${number}` as RequestId,
  accountId: 'acct_a' as AccountId,
  keyId: 'key_a' as KeyId,
  isTest: false,
  model: 'wn2.7-t2v',
  vendor: 'dashscope',
  state: 'queued',
  version: 1,
  channelId: 'dashscope-1',
  upstreamTaskId: `upstream-${number}`,
  durationSeconds: 5,
  resolution: '720p',
  aspectRatio: '16:9',
  unit: 'second_720p',
  priceVersion: 'wn2.7-t2v@2026-04-03',
  unitPrices: { second_720p: '100000' },
  holdNanoUsd: 500_000_000n,
  costNanoUsd: null,
  webhookUrl: null,
  createdAtMs: 1_795_168_800_000 + number,
  upstreamCalledAtMs: null,
  startedAtMs: null,
  finishedAtMs: null,
  expiresAtMs: 1_795_183_200_000,
  progress: null,
  content: null,
  usage: null,
  seed: null,
  error: null,
  cancelRequestedAtMs: null,
  cancelOutcome: null,
  upstream: null,
  prompt: null,
  idempotencyKey: null,
  idempotencyFingerprint: null,
  submittedAtMs: null,
  attempts: [],
  pollNumber: 0,
  nextPollAtMs: null,
  pollFailures: 0,
  missCount: 0,
  firstMissAtMs: null,
  leaseOwner: null,
  traceparent: null,
  clockAheadMs: 0,
  ...fields,
});

/** Tasks and their events, as the tables return them. While `isAway`, every query fails. */
export class TaskReaderInMemory implements TaskReader {
  readonly tasks = new Map<string, ReadTask>();
  readonly events: AccountEvent[] = [];
  isAway = false;
  /** The page queries so far. */
  readonly pages: TaskQuery[] = [];

  put(task: ReadTask): void {
    this.tasks.set(task.taskId, task);
  }

  /** Changes a task and adds its event, as one statement does. */
  change(number: number, type: AccountEventType, fields: Partial<StoredVideoTask>): void {
    const task = storedTask(number, { ...this.tasks.get(taskId(number)), ...fields });
    this.put(task);
    const id = `evt_${this.events.length + 1}`;
    const data = { id: task.publicId, status: task.state };
    this.events.push({
      id,
      accountId: task.accountId,
      type,
      subject: task.taskId,
      data,
      isTest: false,
      createdAt: new Date(0),
    });
  }

  async findTask(reader: TaskAccess, id: string): Promise<ReadTask | null> {
    this.#failIfAway();
    return (
      [...this.tasks.values()].find(
        (task) => isVisible(reader, task) && [task.taskId, task.publicId].includes(id as TaskId),
      ) ?? null
    );
  }

  async listTasks(reader: TaskAccess, page: TaskQuery): Promise<readonly ReadTask[]> {
    this.#failIfAway();
    this.pages.push(page);
    const { after, limit, models } = page;
    return [...this.tasks.values()]
      .filter(({ model }) => models === undefined || models.includes(model))
      .filter((task) => isVisible(reader, task) && (after === null || task.createdAtMs < after.createdAtMs))
      .sort((a, b) => b.createdAtMs - a.createdAtMs)
      .slice(0, limit);
  }

  async findByIdempotencyKey(): Promise<ReadTask | null> {
    return null;
  }

  async eventsAfter(
    accountId: string,
    subject: string,
    { after, limit }: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly AccountEvent[] | null> {
    this.#failIfAway();
    const own = this.events.filter((event) => event.accountId === accountId && event.subject === subject);
    const index = own.findIndex(({ id }) => id === after);
    return after !== null && index === -1 ? null : own.slice(index + 1, index + 1 + limit);
  }

  async requestCancel(reader: TaskAccess, id: string): Promise<ReadTask | null> {
    const task = await this.findTask(reader, id);
    if (task === null || task.finishedAtMs !== null) return task;
    const cancelled: ReadTask = { ...task, cancelRequestedAtMs: 1, cancelOutcome: 'pending' };
    this.put(cancelled);
    return cancelled;
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #failIfAway(): void {
    if (this.isAway) throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { syscall: 'connect' });
  }
}

const isVisible = ({ accountId, onlyTest }: TaskAccess, task: ReadTask): boolean =>
  task.accountId === accountId && (task.isTest || !onlyTest);
