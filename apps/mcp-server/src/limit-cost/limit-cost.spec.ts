import type { NanoUsd } from '@gateway/money';
import { describe, expect, it } from '@jest/globals';
import { FakeClient, rejecting, responseOf } from '../test-support/fakes.js';
import { ToolFailure } from '../tool-failure.js';
import { limitCost } from './limit-cost.js';
import { readAmount } from './read-amount.js';

const CEILING = readAmount('0.05') as NanoUsd;
const BODY = { model: 'm' };

const check = (account: FakeClient): Promise<void> => limitCost(account, 'chat.completions', BODY, CEILING);
const quoting = (quote: object): FakeClient => new FakeClient(() => responseOf(quote));

describe('limitCost', () => {
  it('requests a read-only quote of the endpoint and the body', async () => {
    const account = quoting({ valid: true, hold_usd: '0.01' });
    await check(account);
    expect(account.requests).toEqual([
      {
        method: 'POST',
        path: '/account/quote',
        json: { endpoint: 'chat.completions', body: BODY },
        isReadOnly: true,
      },
    ]);
  });

  it.each(['0', '0.049999999', '0.05'])('accepts a hold of $%s', async (hold) => {
    await expect(check(quoting({ valid: true, hold_usd: hold }))).resolves.toBeUndefined();
  });

  it.each(['0.050000001', '1'])('rejects a hold of $%s with max_cost_exceeded', async (hold) => {
    await expect(check(quoting({ valid: true, hold_usd: hold }))).rejects.toMatchObject({
      code: 'max_cost_exceeded',
      message: `The call could cost up to $${Number(hold) === 1 ? '1.00' : hold}, more than the ceiling of $0.05. Nothing was charged.`,
      details: { requestId: 'req_gateway', status: 400 },
    });
  });

  it.each([
    ['no hold', { valid: true }],
    ['a null hold', { valid: true, hold_usd: null }],
    ['a hold that is no amount', { valid: true, hold_usd: 'much' }],
    ['a negative hold', { valid: true, hold_usd: '-1' }],
    ['no verdict', { hold_usd: '0.01' }],
  ])('rejects a quote with %s as service_unavailable', async (_, quote) => {
    await expect(check(quoting(quote))).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { requestId: 'req_gateway' },
    });
  });

  it('rejects an invalid request with the first error of the quote', async () => {
    const errors = [{ code: 'model_not_found', message: "'model': unknown." }, { message: 'second' }];
    await expect(check(quoting({ valid: false, errors }))).rejects.toMatchObject({
      code: 'model_not_found',
      message: "'model': unknown.",
      details: { status: 400 },
    });
    await expect(check(quoting({ valid: false }))).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('rejects with the failure of the quote request itself', async () => {
    const unavailable = new ToolFailure('service_unavailable', 'The gateway is not available.');
    await expect(check(rejecting(unavailable))).rejects.toBe(unavailable);
  });
});
