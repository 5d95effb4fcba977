import {
  type Customer,
  eventually,
  type OpenResponse,
  openResponse,
  readEvents,
  type TestStack,
} from '@gateway/testing';
import { expect } from '@jest/globals';
import { DEFAULT_MODEL } from './chat-fields.js';

const body = {
  model: DEFAULT_MODEL,
  messages: [{ role: 'user', content: '{{sim chunks=40 chunk_ms=50}} Take your time' }],
  stream: true,
};

export interface RunningStream {
  readonly response: OpenResponse;
  /** The text of the last event, once the stream has ended. */
  readonly last: Promise<string>;
}

/** A running stream of two seconds: time to break something under it. */
export async function beginRunningStream({ baseUrl }: TestStack, { apiKey }: Customer): Promise<RunningStream> {
  const response = await openResponse(baseUrl, { key: apiKey, body });
  expect(response.status).toBe(200);
  const events = readEvents(response.message);
  await events.next();
  const last = (async () => {
    let text = '';
    for await (const event of events) if (event.kind === 'data') text = event.text;
    return text;
  })();
  return { response, last };
}

/** Expects the stream to complete and to be charged whole. */
export async function expectWholeAndCharged(
  { ledger }: TestStack,
  { accountId }: Customer,
  { response, last }: RunningStream,
  withinMs: number,
): Promise<void> {
  expect(await last).toBe('[DONE]');
  const requestId = String(response.headers['x-request-id']);
  const row = await eventually(
    async () => {
      const found = await ledger.settlement(accountId, requestId);
      if (found === undefined) throw new Error(`${requestId} is not settled`);
      return found;
    },
    { withinMs },
  );
  expect(row).toMatchObject({ outcome: 'completed', isEstimated: false });
  expect(row.chargedNanoUsd).toBe(row.costNanoUsd);
  expect(row.costNanoUsd).toBeGreaterThan(0n);
}
