import { describe, expect, it } from '@jest/globals';
import type { ObservedAnswer } from './contract.js';
import { VendorContract } from './vendor-contract.js';

const contract = new VendorContract();
const answer = (path: string, body: object | string, more: Partial<ObservedAnswer> = {}): ObservedAnswer => ({
  method: 'POST',
  path,
  status: 200,
  headers: { 'content-type': typeof body === 'string' ? 'text/event-stream' : 'application/json' },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...more,
});
const embeddings = {
  object: 'list',
  model: 'text-embedding-3-small',
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
  usage: { prompt_tokens: 1, total_tokens: 1 },
};
const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [] };
const events = (...values: readonly object[]): string =>
  `${values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')}data: [DONE]\n\n`;

describe('VendorContract', () => {
  it('takes what the vendor publishes, with further fields', () => {
    expect(contract.faultOf(answer('/v1/embeddings?a=1', { ...embeddings, further: 1 }))).toBeUndefined();
    expect(contract.faultOf(answer('/v1/chat/completions', events(chunk, { ...chunk, further: 1 })))).toBeUndefined();
  });

  it('names what an answer lacks', () => {
    const { usage: _, ...lacking } = embeddings;
    expect(contract.faultOf(answer('/v1/embeddings', lacking))).toMatch(/^POST \/v1\/embeddings.*'usage'/);
    const { choices: __, ...broken } = chunk;
    expect(contract.faultOf(answer('/v1/chat/completions', events(chunk, broken)))).toMatch(/'choices'/);
  });

  it('takes the error that ends a broken chat, and judges the error events of the Responses protocol', () => {
    expect(
      contract.faultOf(answer('/v1/chat/completions', events(chunk, { error: { message: 'x' } }))),
    ).toBeUndefined();
    expect(contract.faultOf(answer('/v1/responses', events({ type: 'error', error: { message: 'x' } })))).toBeDefined();
  });

  it('does not judge refusals, or paths that the vendor does not have', () => {
    expect(contract.faultOf(answer('/v1/embeddings', {}, { status: 400 }))).toBeUndefined();
    expect(contract.faultOf(answer('/v1/messages', {}))).toBeUndefined();
  });
});
