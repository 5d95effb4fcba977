import type { ModelEntry, VideoSubmissionResponse, VideoTaskRecord } from '@gateway/contracts';
import {
  type Customer,
  callJson,
  eventually,
  type FullResponse,
  fullResponse,
  nanoOf,
  openResponse,
  type TestStack,
  type UpstreamTask,
} from '@gateway/testing';
import { expect } from '@jest/globals';

export const VIDEOS_PATH = '/v1/videos/generations';
export const TASK_WITHIN_MS = 60_000;

const FINAL: readonly string[] = ['succeeded', 'failed', 'cancelled', 'expired'];

/** One event of a task's stream. */
export interface TaskEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly type: string; readonly timestamp: string; readonly data: VideoTaskRecord };
}

interface RequestOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** Requests videos without a client library. */
export class VideoRequests {
  #tagCount = 0;

  private constructor(
    private readonly stack: TestStack,
    readonly customer: Customer,
    readonly models: readonly ModelEntry[],
  ) {}

  static async open(stack: TestStack, customer: Customer): Promise<VideoRequests> {
    const { data } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, { token: customer.apiKey });
    return new VideoRequests(
      stack,
      customer,
      data.filter(({ endpoints }) => endpoints.includes(VIDEOS_PATH)),
    );
  }

  /** A word of the prompt that identifies the upstream's task. */
  tag(): string {
    this.#tagCount += 1;
    return `tag-${this.#tagCount}-`;
  }

  post(
    body: object,
    { key = this.customer.apiKey, headers = {}, query = '' }: RequestOptions = {},
  ): Promise<FullResponse> {
    return fullResponse(this.stack.baseUrl, { path: `${VIDEOS_PATH}${query}`, key, headers, body });
  }

  /** Submits a task that must be accepted. */
  async submit(body: object, options?: RequestOptions): Promise<VideoSubmissionResponse> {
    const response = await this.post(body, options);
    expect({ status: response.status, text: response.text }).toMatchObject({ status: 202 });
    return response.json<VideoSubmissionResponse>();
  }

  get(path: string, { key = this.customer.apiKey, headers = {} }: RequestOptions = {}): Promise<FullResponse> {
    return fullResponse(this.stack.baseUrl, { method: 'GET', path: `${VIDEOS_PATH}${path}`, key, headers });
  }

  async record(id: string, key?: string): Promise<VideoTaskRecord> {
    const response = await this.get(`/${id}`, key === undefined ? {} : { key });
    expect(response.status).toBe(200);
    return response.json<VideoTaskRecord>();
  }

  /** The record once the task has this status. */
  waitForStatus(id: string, statuses: readonly string[] = FINAL): Promise<VideoTaskRecord> {
    return eventually(
      async () => {
        const record = await this.record(id);
        expect(statuses).toContain(record.status);
        return record;
      },
      { withinMs: TASK_WITHIN_MS, intervalMs: 200 },
    );
  }

  cancel(id: string, key = this.customer.apiKey): Promise<FullResponse> {
    return fullResponse(this.stack.baseUrl, { path: `${VIDEOS_PATH}/${id}/cancel`, key });
  }

  /** The response to a reconnect after an event. */
  openEvents(id: string, lastEventId?: string) {
    return openResponse(this.stack.baseUrl, {
      method: 'GET',
      path: `${VIDEOS_PATH}/${id}/events`,
      key: this.customer.apiKey,
      ...(lastEventId !== undefined && { headers: { 'last-event-id': lastEventId } }),
    });
  }

  /** The events of a task's stream: the first `maxEvents`, or all until its end. */
  async events(id: string, lastEventId?: string, maxEvents = Number.POSITIVE_INFINITY): Promise<readonly TaskEvent[]> {
    const response = await this.openEvents(id, lastEventId);
    expect({ status: response.status, type: response.headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
    });
    const events: TaskEvent[] = [];
    let buffered = '';
    for await (const chunk of response.message.setEncoding('utf8')) {
      buffered += String(chunk);
      const blocks = buffered.split('\n\n');
      buffered = blocks.pop() ?? '';
      events.push(...blocks.map(eventOf).filter((event) => event !== undefined));
      if (events.length >= maxEvents) {
        response.disconnect();
        break;
      }
    }
    return events;
  }

  /** The upstream's tasks whose prompt contains this word. */
  upstreamTasks(tag: string): Promise<readonly UpstreamTask[]> {
    return this.stack.simulator.tasks(tag);
  }

  /** Nano-USD of that many seconds at the published price. */
  costOf(model: string, unit: string, seconds: number): bigint {
    const price = this.models.find(({ id }) => id === model)?.pricing.per_million[unit];
    if (price === undefined) throw new Error(`${model} has no published price of ${unit}`);
    const millionths = nanoOf(price) * BigInt(seconds);
    return (millionths + 999_999n) / 1_000_000n;
  }

  /** The body of the upstream's last request on this path. */
  async lastReceived(path: string): Promise<Record<string, unknown>> {
    const received = (await this.stack.simulator.requests(0)).filter((options) => options.path === path);
    return JSON.parse(received.at(-1)?.body ?? '{}') as Record<string, unknown>;
  }
}

function eventOf(block: string): TaskEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const [id, type, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
  if (id === undefined || type === undefined || data === undefined) return undefined;
  return { id, type, data: JSON.parse(data) as TaskEvent['data'] };
}

/** The type box of an MP4; the simulator's videos are real files. */
export async function expectVideo(url: string): Promise<void> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
}
