import Anthropic from '@anthropic-ai/sdk';
import { type Customer, eventually, fullResponse, type TestStack } from '@gateway/testing';
import { expect } from '@jest/globals';
import OpenAI, { toFile } from 'openai';

/** A line of results in OpenAI's format. */
export interface ResultLine {
  readonly custom_id: string | null;
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: unknown } | null;
  readonly error: { readonly code: string; readonly line: number } | null;
}

export interface BatchQuote {
  readonly valid: boolean;
  readonly likely_usd: string;
  readonly most_usd: string;
}

export interface BatchOptions {
  readonly endpoint?: OpenAI.BatchCreateParams['endpoint'];
  readonly maxCostUsd?: string;
}

/** A request of a batch in OpenAI's format, as a line without its end. */
export const lineOf = (customId: string, body: object, url = '/v1/chat/completions'): string =>
  JSON.stringify({ custom_id: customId, method: 'POST', url, body });

/** Creates and follows batches of one customer by the official clients. */
export class Batches {
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;

  constructor(
    private readonly stack: TestStack,
    readonly customer: Customer,
    key = customer.apiKey,
  ) {
    this.openai = new OpenAI({ baseURL: `${stack.baseUrl}/v1`, apiKey: key, maxRetries: 0 });
    this.anthropic = new Anthropic({ baseURL: stack.baseUrl, apiKey: key, maxRetries: 0 });
  }

  async upload(lines: readonly string[] | Buffer): Promise<string> {
    const contents = Buffer.isBuffer(lines) ? lines : Buffer.from(lines.join('\n'));
    const { id } = await this.openai.files.create({ file: await toFile(contents, 'input.jsonl'), purpose: 'batch' });
    return id;
  }

  /** What all lines of a file cost. */
  async quote(fileId: string): Promise<{ readonly status: number; readonly body: BatchQuote }> {
    const body = { input_file_id: fileId, endpoint: '/v1/chat/completions' };
    const response = await fullResponse(this.stack.baseUrl, {
      path: '/v1/batches/quote',
      key: this.customer.apiKey,
      body,
    });
    return { status: response.status, body: JSON.parse(response.body.toString()) as BatchQuote };
  }

  /** As `quote`, by the official client: rejects with its error. */
  requireQuote(fileId: string): Promise<BatchQuote> {
    const body = { input_file_id: fileId, endpoint: '/v1/chat/completions' };
    return this.openai.post<BatchQuote>('/batches/quote', { body });
  }

  async create(lines: readonly string[] | Buffer, options: BatchOptions = {}) {
    return this.createFrom(await this.upload(lines), options);
  }

  createFrom(id: string, { endpoint = '/v1/chat/completions', maxCostUsd }: BatchOptions = {}) {
    const body = { input_file_id: id, endpoint, completion_window: '24h' as const };
    return this.openai.batches.create({ ...body, ...(maxCostUsd !== undefined && { max_cost_usd: maxCostUsd }) });
  }

  /** The batch once it has this status. */
  until({ id }: { readonly id: string }, status: OpenAI.Batch['status'], withinMs = 60_000): Promise<OpenAI.Batch> {
    return eventually(
      async () => {
        const batch = await this.openai.batches.retrieve(id);
        expect(batch).toMatchObject({ status });
        return batch;
      },
      { withinMs, intervalMs: 200 },
    );
  }

  untilEnded(id: string) {
    return eventually(
      async () => {
        const batch = await this.anthropic.messages.batches.retrieve(id);
        expect(batch.processing_status).toBe('ended');
        return batch;
      },
      { withinMs: 60_000, intervalMs: 200 },
    );
  }

  /** A file of results as it is. */
  async bytes(fileId: string | null | undefined): Promise<string> {
    return (await this.openai.files.content(fileId ?? 'none')).text();
  }

  /** The lines of a file of results; none if there is no file. */
  async results(fileId: string | null | undefined): Promise<readonly ResultLine[]> {
    if (fileId == null) return [];
    const text = await this.bytes(fileId);
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as ResultLine);
  }

  status(method: 'GET' | 'POST' | 'DELETE', path: string, key = this.customer.apiKey): Promise<number> {
    return fullResponse(this.stack.baseUrl, { method, path, key }).then(({ status }) => status);
  }
}
