import { randomUUID } from 'node:crypto';
import {
  type Customer,
  type FullResponse,
  fullResponse,
  type JournalEntry,
  type RawRequest,
  type SettlementRow,
  type TestStack,
} from '@gateway/testing';
import { expect } from '@jest/globals';
import { waitUntilSettled } from '../support/expect-consistent-ledger.js';

export const newKey = (): string => randomUUID();

/** The headers of a request with an idempotency key. */
export const withKey = (key: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'idempotency-key': key,
  ...more,
});

export const requestIdOf = ({ headers }: Pick<FullResponse, 'headers'>): string => String(headers['x-request-id']);

/** The headers of a response that a replay repeats. */
const replayedHeaders = ({ status, headers, body }: FullResponse) => ({
  status,
  contentType: headers['content-type'],
  body: body.toString('base64'),
});

/** Expects `second` to replay `first`: not run, not charged, and marked with the first request id. */
export function expectReplay(first: FullResponse, second: FullResponse): void {
  expect(replayedHeaders(second)).toEqual(replayedHeaders(first));
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  expect(second.headers).toMatchObject({
    'idempotent-replayed': 'true',
    'idempotent-request-id': requestIdOf(first),
    'x-cost-usd': '0.00',
  });
  expect(requestIdOf(second)).toMatch(/^req_/);
  expect(requestIdOf(second)).not.toBe(requestIdOf(first));
}

/** Sends raw requests and reads the upstream's journal and the ledger behind them. */
export class IdempotentRequests {
  constructor(
    private readonly stack: TestStack,
    private readonly customer: Customer,
  ) {}

  send(raw: RawRequest, baseUrl = this.stack.baseUrl): Promise<FullResponse> {
    return fullResponse(baseUrl, { key: this.customer.apiKey, ...raw });
  }

  /** The upstream calls and the settlements that `act` caused. */
  async moneyOf(
    act: () => Promise<unknown>,
  ): Promise<{ readonly calls: readonly JournalEntry[]; readonly settlements: readonly SettlementRow[] }> {
    await waitUntilSettled(this.stack, [this.customer]);
    const since = await this.stack.simulator.lastSeq();
    const before = new Set((await this.#settlements()).map(({ requestId }) => requestId));
    await act();
    await waitUntilSettled(this.stack, [this.customer]);
    const settlements = (await this.#settlements()).filter(({ requestId }) => !before.has(requestId));
    return { calls: await this.stack.simulator.closedJournal(since), settlements };
  }

  #settlements(): Promise<readonly SettlementRow[]> {
    return this.stack.ledger.settlements(this.customer.accountId);
  }
}
