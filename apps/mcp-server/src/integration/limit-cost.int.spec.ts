import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHAT, COMPLETION, QUESTION, refusal, textOf } from '../test-support/samples.js';
import { TestServer } from '../test-support/test-server.js';

const server = await TestServer.start();
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.reset();
});

describe('max_cost_usd and x-max-cost-usd', () => {
  const quoted = (json: object) => gateway.on('POST /account/quote', { json });

  it('allow a call whose quoted hold is at the ceiling', async () => {
    gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    quoted({ valid: true, hold_usd: '0.05' });
    const result = await server.call('chat', { ...QUESTION, max_cost_usd: 0.05 });
    expect(textOf(result)).toBe('Hello!');
    expect(gateway.requestsTo('/account/quote')[0]).toMatchObject({
      json: { endpoint: 'chat.completions', body: QUESTION },
      headers: { authorization: `Bearer ${server.apiKey}` },
    });
    expect(gateway.requestsTo(CHAT)[0]?.json).toEqual(QUESTION);
  });

  it.each([
    ['above the argument', { max_cost_usd: '0.049999999' }, {}],
    ['above the header', {}, { 'x-max-cost-usd': '0.01' }],
    ['above the header, with a higher argument', { max_cost_usd: 1 }, { 'x-max-cost-usd': '0.01' }],
    ['above the argument, with a higher header', { max_cost_usd: 0 }, { 'x-max-cost-usd': '9' }],
  ])('refuse a call whose hold is %s', async (_, args, headers) => {
    quoted({ valid: true, hold_usd: '0.05' });
    const result = await server.call('chat', { ...QUESTION, ...args }, 'auto', headers);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('could cost up to $0.05')]);
    expect(gateway.requestsTo(CHAT)).toEqual([]);
  });

  it.each([
    [
      'the quote fails',
      { status: 503, json: refusal(503, 'service_unavailable', 'Later.').json },
      'service_unavailable',
    ],
    ['the quote has no valid amount', { json: { valid: true, hold_usd: 'much' } }, 'service_unavailable'],
    [
      'the quote finds the request invalid',
      { json: { valid: false, errors: [{ code: 'invalid_request', message: "'messages': no." }] } },
      "'messages': no.",
    ],
  ])('refuse the call if %s', async (_, quote, message) => {
    gateway.on('POST /account/quote', quote);
    const result = await server.call('chat', { ...QUESTION, max_cost_usd: 5 });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(message)]);
    expect(gateway.requestsTo(CHAT)).toEqual([]);
  });

  it.each([-1, 'ten', '1e3', {}])('reject the argument %p', async (max_cost_usd) => {
    expect(textOf(await server.call('chat', { ...QUESTION, max_cost_usd }))).toContain(
      "'max_cost_usd': expected an amount",
    );
    expect(gateway.requestsTo(CHAT)).toEqual([]);
  });

  it('reject an invalid header with 400', async () => {
    const response = await server.send({}, { headers: { 'x-max-cost-usd': 'cheap' } });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('x-max-cost-usd')]);
  });
});
