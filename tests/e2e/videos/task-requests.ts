import type { ModelEntry, VideoTaskRecord } from '@gateway/contracts';
import {
  type Customer,
  eventually,
  expectedCost,
  type FullResponse,
  fullResponse,
  nanoOf,
  type SettlementRow,
  type TestStack,
  type UpstreamTask,
} from '@gateway/testing';
import { expect } from '@jest/globals';

const PATH = '/v1/videos/generations';
const ENDED: readonly string[] = ['succeeded', 'failed', 'cancelled', 'expired'];
const ZERO = 0n;

let taskCount = 0;

/** Video tasks of one customer, with their upstream tasks and receipts. A tag in the prompt identifies each. */
export class TaskRequests {
  private constructor(
    private readonly stack: TestStack,
    readonly customer: Customer,
    readonly model: ModelEntry,
    private readonly key: string,
  ) {}

  static async open(
    stack: TestStack,
    modelId: string,
    { creditUsd = '100', isTest = false }: { readonly creditUsd?: string; readonly isTest?: boolean } = {},
  ): Promise<TaskRequests> {
    const customer = await stack.createCustomer({ creditUsd, limits: { rpm: 0, concurrency: 0 } });
    const key = isTest ? (await customer.newKey({ test: true })).key : customer.apiKey;
    const response = await fullResponse(stack.baseUrl, { method: 'GET', path: `/v1/models/${modelId}`, key });
    return new TaskRequests(stack, customer, response.json<ModelEntry>(), key);
  }

  /** A prompt that no other task has, with directives for the simulator. */
  tag(directives = ''): string {
    taskCount += 1;
    return `${directives === '' ? '' : `{{sim ${directives}}} `}Tag ${this.customer.accountId} ${taskCount} end`;
  }

  submit(text: string, more: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<FullResponse> {
    const isArk = this.model.id.startsWith('seedance');
    const input = isArk ? { content: [{ type: 'text', text }] } : { prompt: text };
    const body = { model: this.model.id, duration: 5, resolution: '720p', input, ...more };
    return fullResponse(this.stack.baseUrl, { path: PATH, key: this.key, body, headers });
  }

  /** The id of a task that was accepted. */
  async accepted(text: string, more: object = {}): Promise<string> {
    const response = await this.submit(text, more);
    expect({ status: response.status, body: response.text }).toMatchObject({ status: 202 });
    return response.json<{ id: string }>().id;
  }

  async read(id: string): Promise<VideoTaskRecord> {
    const response = await fullResponse(this.stack.baseUrl, { method: 'GET', path: `${PATH}/${id}`, key: this.key });
    expect(response.status).toBe(200);
    return response.json<VideoTaskRecord>();
  }

  cancel(id: string): Promise<FullResponse> {
    return fullResponse(this.stack.baseUrl, { path: `${PATH}/${id}/cancel`, key: this.key, body: {} });
  }

  waitUntilEnded(id: string, withinMs = 60_000): Promise<VideoTaskRecord> {
    return eventually(
      async () => {
        const task = await this.read(id);
        if (!ENDED.includes(task.status)) throw new Error(`${id} is ${task.status}`);
        return task;
      },
      { withinMs, intervalMs: 100 },
    );
  }

  async upstreamTasks(text: string): Promise<readonly UpstreamTask[]> {
    const [, tag = text] = /(Tag .* end)/.exec(text) ?? [];
    return this.stack.simulator.tasks(tag);
  }

  async onlyUpstreamTask(text: string): Promise<UpstreamTask> {
    const tasks = await this.upstreamTasks(text);
    expect(tasks).toHaveLength(1);
    return tasks[0] as UpstreamTask;
  }

  /** Expects one receipt that equals the record's cost and the ledger's charge. */
  async receipt(task: VideoTaskRecord): Promise<SettlementRow> {
    const requestId = await this.requestIdOf(task.id);
    return eventually(async () => {
      const rows = (await this.stack.ledger.settlements(this.customer.accountId)).filter(
        (row) => row.requestId === requestId,
      );
      expect(rows).toHaveLength(1);
      const [row] = rows as [SettlementRow];
      expect(row.chargedNanoUsd).toBe(row.costNanoUsd);
      expect(nanoOf(task.cost ?? '')).toBe(row.costNanoUsd);
      return row;
    });
  }

  async requestIdOf(id: string): Promise<string> {
    return this.stack.ledger.requestOfTask(id);
  }

  /** Expects the customer's receipts to sum to the upstream's invoice for these prompts. */
  async expectPaidAsBilled(texts: readonly string[]): Promise<void> {
    const tasks = (await Promise.all(texts.map((text) => this.upstreamTasks(text)))).flat();
    const billed = tasks.reduce(
      (sum, task) => sum + (task.billed === null ? ZERO : expectedCost(this.model, task.billed)),
      ZERO,
    );
    const rows = await this.stack.ledger.settlements(this.customer.accountId);
    expect(rows.reduce((sum, { chargedNanoUsd }) => sum + chargedNanoUsd, ZERO)).toBe(billed);
  }
}
