import {
  type Customer,
  eventually,
  type OpenResponse,
  openResponse,
  readEvents,
  type TestStack,
} from '@gateway/testing';
import { expect } from '@jest/globals';
import { USUAL_MODEL } from './chat-fields.js';

const body = {
  model: USUAL_MODEL,
  messages: [{ role: 'user', content: '{{sim chunks=40 chunk_ms=50}} Take your time' }],
  stream: true,
};

export interface SteadyStream {
  readonly answer: OpenResponse;
  /** The text of the last event, once the stream has ended. */
  readonly last: Promise<string>;
}

/** A running stream of two seconds: time to break something under it. */
export async function beginSteadyStream({ baseUrl }: TestStack, { apiKey }: Customer): Promise<SteadyStream> {
  const answer = await openResponse(baseUrl, { key: apiKey, body });
  expect(answer.status).toBe(200);
  const events = readEvents(answer.message);
  await events.next();
  const last = (async () => {
    let text = '';
    for await (const event of events) if (event.kind === 'data') text = event.text;
    return text;
  })();
  return { answer, last };
}

/** Expects the stream to complete and to be charged whole. */
export async function expectWholeAndCharged(
  { books }: TestStack,
  { accountId }: Customer,
  { answer, last }: SteadyStream,
  withinMs: number,
): Promise<void> {
  expect(await last).toBe('[DONE]');
  const requestId = String(answer.headers['x-request-id']);
  const row = await eventually(
    async () => {
      const found = await books.settlement(accountId, requestId);
      if (found === undefined) throw new Error(`${requestId} is not settled`);
      return found;
    },
    { withinMs },
  );
  expect(row).toMatchObject({ outcome: 'completed', isEstimated: false });
  expect(row.chargedNanoUsd).toBe(row.costNanoUsd);
  expect(row.costNanoUsd).toBeGreaterThan(0n);
}
