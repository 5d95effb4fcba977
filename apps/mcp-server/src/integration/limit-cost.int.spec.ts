import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CHAT, COMPLETION, QUESTION, refusal, textOf } from './test-support/samples.js';
import { TestServer } from './test-support/test-server.js';

const server = await TestServer.start();
afterAll(() => server.stop());
const { gateway } = server;
beforeEach(() => {
  gateway.asked.length = 0;
  gateway.left = 0;
});

describe('a ceiling', () => {
  const quoted = (json: object) => gateway.on('POST /account/quote', { json });

  it('lets a call through that holds no more, asked by the engine that bills', async () => {
    gateway.on(`POST ${CHAT}`, { json: COMPLETION });
    quoted({ valid: true, hold_usd: '0.05' });
    const result = await server.call('chat', { ...QUESTION, max_cost_usd: 0.05 });
    expect(textOf(result)).toBe('Hello!');
    expect(gateway.to('/account/quote')[0]).toMatchObject({
      json: { endpoint: 'chat.completions', body: QUESTION },
      headers: { authorization: `Bearer ${server.apiKey}` },
    });
    expect(gateway.to(CHAT)[0]?.json).toEqual(QUESTION);
  });

  it.each([
    ['above the argument', { max_cost_usd: '0.049999999' }, {}],
    ['above the header', {}, { 'x-max-cost-usd': '0.01' }],
    ['above the header that an argument would raise', { max_cost_usd: 1 }, { 'x-max-cost-usd': '0.01' }],
    ['above the argument below the header', { max_cost_usd: 0 }, { 'x-max-cost-usd': '9' }],
  ])('refuses a call that could cost more: %s', async (_, given, headers) => {
    quoted({ valid: true, hold_usd: '0.05' });
    const result = await server.call('chat', { ...QUESTION, ...given }, 'auto', headers);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('could cost up to $0.05')]);
    expect(gateway.to(CHAT)).toEqual([]);
  });

  it.each([
    [
      'there is no quote',
      { status: 503, json: refusal(503, 'service_unavailable', 'Later.').json },
      'service_unavailable',
    ],
    ['a quote makes no sense', { json: { valid: true, hold_usd: 'much' } }, 'service_unavailable'],
    [
      'the request is not valid',
      { json: { valid: false, errors: [{ code: 'invalid_request', message: "'messages': no." }] } },
      "'messages': no.",
    ],
  ])('refuses the call where %s', async (_, quote, words) => {
    gateway.on('POST /account/quote', quote);
    const result = await server.call('chat', { ...QUESTION, max_cost_usd: 5 });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(words)]);
    expect(gateway.to(CHAT)).toEqual([]);
  });

  it.each([-1, 'ten', '1e3', {}])('that is %p is refused', async (max_cost_usd) => {
    expect(textOf(await server.call('chat', { ...QUESTION, max_cost_usd }))).toContain(
      "'max_cost_usd': expected an amount",
    );
    expect(gateway.to(CHAT)).toEqual([]);
  });

  it('in a header that makes no sense refuses the request', async () => {
    const answer = await server.send({}, { headers: { 'x-max-cost-usd': 'cheap' } });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('x-max-cost-usd')]);
  });
});
