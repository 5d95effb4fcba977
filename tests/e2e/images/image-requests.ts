import type { ModelEntry } from '@gateway/contracts';
import {
  type Customer,
  callJson,
  expectedCost,
  type FullResponse,
  fullResponse,
  type JournalEntry,
  type SettlementRow,
  type TestStack,
} from '@gateway/testing';
import { expect } from '@jest/globals';
import { waitUntilSettled } from '../support/expect-consistent-ledger.js';

export const IMAGES_PATH = '/v1/images/generations';

/** What one act cost: the upstream's invoice and the charges of the ledger. */
export interface Money {
  readonly calls: readonly JournalEntry[];
  readonly settlements: readonly SettlementRow[];
}

export interface ImageHead {
  readonly type: string;
  readonly width: number;
  readonly height: number;
}

/** Requests images without a client library and reads the money behind them. */
export class ImageRequests {
  private constructor(
    private readonly stack: TestStack,
    private readonly customer: Customer,
    readonly models: readonly ModelEntry[],
  ) {}

  static async open(stack: TestStack, customer: Customer, path = IMAGES_PATH): Promise<ImageRequests> {
    const { data } = await callJson<{ data: ModelEntry[] }>(`${stack.baseUrl}/v1/models`, { token: customer.apiKey });
    const models = data.filter(({ endpoints }) => endpoints.includes(path));
    return new ImageRequests(stack, customer, models);
  }

  post(body: object, key = this.customer.apiKey): Promise<FullResponse> {
    return fullResponse(this.stack.baseUrl, { path: IMAGES_PATH, key, body });
  }

  async moneyOf(act: () => Promise<unknown>): Promise<Money> {
    await waitUntilSettled(this.stack, [this.customer]);
    const since = await this.stack.simulator.lastSeq();
    const before = new Set((await this.#settlements()).map(({ requestId }) => requestId));
    await act();
    await waitUntilSettled(this.stack, [this.customer]);
    const calls = (await this.stack.simulator.closedJournal(since)).filter(({ path }) => !path.startsWith('/__'));
    return { calls, settlements: (await this.#settlements()).filter(({ requestId }) => !before.has(requestId)) };
  }

  /** Expects one settlement that charges the upstream's invoice at the published price. */
  expectExact(model: string, { calls, settlements }: Money): void {
    const invoice = calls.reduce((sum, { billed }) => sum + (billed === null ? 0n : this.costOf(model, billed)), 0n);
    expect(settlements).toHaveLength(1);
    expect(settlements[0]).toMatchObject({ model, costNanoUsd: invoice, chargedNanoUsd: invoice });
  }

  costOf(model: string, billed: NonNullable<JournalEntry['billed']>): bigint {
    const entry = this.models.find(({ id }) => id === model);
    if (entry === undefined) throw new Error(`${model} is not listed`);
    return expectedCost(entry, billed);
  }

  /** The body of the upstream's last request. */
  async lastReceived(): Promise<Record<string, unknown>> {
    const last = (await this.stack.simulator.requests(0)).at(-1);
    return JSON.parse(last?.body ?? '{}') as Record<string, unknown>;
  }

  #settlements(): Promise<readonly SettlementRow[]> {
    return this.stack.ledger.settlements(this.customer.accountId);
  }
}

/** Type and size from the bytes of an image. Throws if they are no image. */
function imageHead(bytes: Buffer): ImageHead {
  if (bytes.toString('latin1', 1, 4) === 'PNG') {
    return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.toString('latin1', 8, 16) === 'WEBPVP8L') {
    const bits = bytes.readUInt32LE(21);
    return { type: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0, 0, 17]));
  if (bytes[0] !== 0xff || frame === -1) throw new Error('no image');
  return { type: 'jpeg', height: bytes.readUInt16BE(frame + 5), width: bytes.readUInt16BE(frame + 7) };
}

export const imageAt = async (url: string): Promise<ImageHead> =>
  imageHead(Buffer.from(await (await fetch(url)).arrayBuffer()));

export const imageIn = (base64: string | undefined): ImageHead => imageHead(Buffer.from(base64 ?? '', 'base64'));
