import { Readable } from 'node:stream';
import { type Batch, type BatchSegment, isBatchCredential, type LineCounts } from '@gateway/contracts';
import type { HttpPools } from '@gateway/http';
import { createLogger, createMetrics } from '@gateway/observability';
import type { BatchStore, NewObject, RunningBatch, StoredObjects } from '@gateway/postgres';
import { ObjectMissing, type ObjectStore } from '@gateway/store';
import { batchMetrics } from '../metrics.js';
import { RunBatch } from '../run-batch.js';
import type { RunPorts } from '../tokens.js';

type BatchProgress = Awaited<ReturnType<BatchStore['progress']>>;
type BatchEnd = Parameters<BatchStore['finish']>[1];

export interface EdgeReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Plays the edge for one line, by its number in the input. */
export type Edge = (line: number, body: { readonly model?: string }) => EdgeReply | Promise<EdgeReply>;

const COST_USD = '0.000000007';
const WINDOW_MS = 86_400_000;

/** A response of an admitted request. */
export const served: Edge = (line) => ({
  status: 200,
  headers: { location: `/v1/requests/req_${'a'.repeat(26)}`, 'x-cost-usd': COST_USD },
  body: { object: 'chat.completion', line },
});

export const lineOf = (customId: string, more: object = {}): string =>
  JSON.stringify({ custom_id: customId, method: 'POST', url: '/v1/chat/completions', body: { model: 'm' }, ...more });

const NO_LINES: LineCounts = { completed: 0, failed: 0, expired: 0, cancelled: 0 };

const newBatch = (more: Partial<RunningBatch>): RunningBatch => ({
  id: `batch_${'b'.repeat(26)}`,
  accountId: 'acct_a',
  isTest: false,
  keyId: 'key_a',
  format: 'openai',
  endpoint: 'chat.completions',
  status: 'validating',
  inputObject: 'files/input',
  inputFileId: 'file-input',
  metadata: {},
  budgetNanoUsd: null,
  costNanoUsd: 0n,
  outputSeconds: 3_600,
  total: 0,
  counts: NO_LINES,
  errors: null,
  waitsFor: null,
  outputFileId: null,
  errorFileId: null,
  createdAtMs: Date.now(),
  windowEndsAtMs: Date.now() + WINDOW_MS,
  isWindowOver: false,
  startedAtMs: null,
  cancelRequestedAtMs: null,
  finalizingAtMs: null,
  finishedAtMs: null,
  resultsRemovedAtMs: null,
  ...more,
});

/** One batch with its rows and objects in memory, and an edge that a test plays. */
export class BatchWorld {
  readonly objects = new Map<string, Buffer>();
  readonly segments: BatchSegment[] = [];
  readonly returned: { readonly dueInMs: number; readonly waitsFor: string | null }[] = [];
  readonly requested: string[] = [];
  /** Of the requests, in their order. */
  readonly signals: AbortSignal[] = [];
  /** The input breaks off after its first line. */
  isInputCut = false;
  readonly announced = new Set<string>();
  end: BatchEnd | undefined;
  /** The steps that another worker's claim makes vain. */
  readonly lostSteps = new Set<string>();
  /** The step at which the worker dies: it fails, and changes nothing. */
  diesAt: 'recordErrors' | undefined;
  #batch: RunningBatch;
  #progress: BatchProgress = { lines: [], nextSegment: 0, begunThrough: 0 };

  constructor(
    input: string | Buffer,
    private readonly edge: Edge = served,
    batch: Partial<RunningBatch> = {},
  ) {
    this.#batch = newBatch(batch);
    this.objects.set(this.#batch.inputObject, Buffer.from(input));
  }

  /** One run of a worker, as after a claim. */
  run(): Promise<void> {
    return this.newRun().run();
  }

  newRun(): RunBatch {
    const claim = { batchId: this.#batch.id, owner: 'owner' };
    return new RunBatch(this.#ports(), { batch: this.#batch, claim, keySha256: 'hash' });
  }

  change(more: Partial<RunningBatch>): void {
    this.#batch = { ...this.#batch, ...more };
  }

  /** As a worker that died has left it. */
  resumeAt(progress: Partial<BatchProgress>): void {
    this.#progress = { ...this.#progress, ...progress };
  }

  get batch(): RunningBatch {
    return this.#batch;
  }

  /** The lines of a file of results, as objects. */
  linesOf(fileId: string | null | undefined): readonly Record<string, unknown>[] {
    const bytes = this.objects.get(`files/${fileId}`);
    if (bytes === undefined) return [];
    return bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  #ports(): RunPorts {
    return {
      config: { edgeUrl: 'http://edge', batchSecret: 's'.repeat(32) },
      batches: this.#batches(),
      files: this.#files(),
      pools: { send: (request: never, options: never) => this.#send(request, options) } as unknown as HttpPools,
      objects: this.#store(),
      metrics: batchMetrics(createMetrics('batch-worker')),
      logger: createLogger({ service: 'batch-worker', level: 'silent' }),
      failpoints: { reach: () => undefined },
      share: () => 2,
    };
  }

  async #send(
    request: { url: string; headers: Record<string, string>; body: Buffer },
    { signal }: { readonly signal: AbortSignal },
  ) {
    const { authorization, 'idempotency-key': key = '' } = request.headers;
    if (!isBatchCredential(authorization)) throw new Error('the credential of a batch is missing');
    this.requested.push(key);
    this.signals.push(signal);
    const reply = await this.edge(Number(key.split(':')[1]), JSON.parse(request.body.toString()));
    const bytes = async (): Promise<Buffer> => Buffer.from(JSON.stringify(reply.body ?? {}));
    return { status: reply.status, headers: { 'x-request-id': 'req_own', ...reply.headers }, bytes };
  }

  #batches(): BatchStore {
    const holds = (step: string): boolean => !this.lostSteps.has(step);
    return {
      renew: async () => (holds('renew') ? this.#batch : null),
      begin: async (_claim: unknown, total: number) => {
        this.change({ status: 'in_progress', total });
        return holds('begin');
      },
      progress: async () => this.#progress,
      recordErrors: async (_claim: unknown, errors: Batch['errors']) => {
        if (this.diesAt === 'recordErrors') throw new Error('the worker died');
        if (!holds('recordErrors')) return false;
        this.change({ errors });
        return true;
      },
      beginLines: async (_claim: unknown, begunThrough: number) => {
        this.resumeAt({ begunThrough });
        return holds('beginLines');
      },
      announce: async (objects: readonly string[]) => {
        for (const object of objects) this.announced.add(object);
      },
      record: async (_claim: unknown, recorded: Parameters<BatchStore['record']>[1]) => {
        if (!holds('record')) return false;
        if (recorded.segments.some(({ object }) => !this.announced.has(object))) throw new Error('not announced');
        this.segments.push(...recorded.segments);
        const counts = Object.fromEntries(
          Object.entries(this.#batch.counts).map(([outcome, count]) => [
            outcome,
            count + recorded.counts[outcome as keyof LineCounts],
          ]),
        ) as unknown as LineCounts;
        this.change({ counts, costNanoUsd: this.#batch.costNanoUsd + recorded.costNanoUsd });
        const lines = [...this.#progress.lines, ...recorded.segments.flatMap((segment) => segment.lines)];
        this.resumeAt({ lines, nextSegment: this.segments.length });
        return true;
      },
      segments: async () => this.segments,
      finalize: async () => {
        this.change({ status: 'finalizing' });
        return holds('finalize');
      },
      finish: async (_claim: unknown, end: BatchEnd) => {
        if (!holds('finish')) return false;
        this.end = end;
        return true;
      },
      return: async (_claim: unknown, why: { dueInMs: number; waitsFor: string | null }) => {
        this.returned.push(why);
        return true;
      },
    } as unknown as BatchStore;
  }

  #files(): StoredObjects {
    return {
      reserve: async (_object: NewObject) => true,
      complete: async (id: string) => ({ id }),
      release: async () => undefined,
    } as unknown as StoredObjects;
  }

  async *#partsOf(key: string): AsyncGenerator<Buffer> {
    const bytes = this.objects.get(key);
    if (bytes === undefined) throw new ObjectMissing(key);
    const firstLine = bytes.indexOf('\n') + 1;
    yield bytes.subarray(0, firstLine);
    if (this.isInputCut && this.#batch.status !== 'validating') throw new Error('the store is away');
    yield bytes.subarray(firstLine);
  }

  #store(): ObjectStore {
    return {
      put: async (key: string, contents: Buffer | { stream: Readable }) => {
        const bytes = Buffer.isBuffer(contents) ? contents : Buffer.concat(await contents.stream.toArray());
        this.objects.set(key, bytes);
      },
      stream: async (key: string) => {
        const bytes = this.objects.get(key);
        if (bytes === undefined) throw new ObjectMissing(key);
        return Readable.from([bytes], { objectMode: false });
      },
      parts: (key: string) => this.#partsOf(key),
    } as unknown as ObjectStore;
  }
}
