import { readFileSync } from 'node:fs';
import { isGatewayError, type RerankRequest } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RerankCall } from '../protocol.js';
import { voyageRerank } from './index.js';

const REQUEST: RerankRequest = { model: 'vg-rerank-2.5', query: 'Which?', documents: ['a', { text: 'b' }, 'c'] };
const TARGET = { baseUrl: 'https://upstream.example', credential: 'secret', upstreamModel: 'rerank-2.5' };

const callOf = (more: Partial<RerankRequest> = {}): RerankCall => ({
  request: { ...REQUEST, ...more },
  publicModel: 'vg-rerank-2.5',
  traits: { documents: 1_000 },
  requestId: 'req_1',
  createdSeconds: 1,
});
const bodyOf = (more: Partial<RerankRequest>) =>
  JSON.parse(String(voyageRerank.buildRequest(callOf(more), TARGET).body));
const read = (reply: object, more: Partial<RerankRequest> = {}) => {
  const { body, usage } = voyageRerank.readReply(Buffer.from(JSON.stringify(reply)), callOf(more));
  return { list: JSON.parse(Buffer.from(body).toString()), usage };
};

const DATA = [
  { index: 1, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.2, document: 'a' },
];

const documented = JSON.parse(readFileSync(new URL('./__fixtures__/documented-reply.json', import.meta.url), 'utf8'));

describe('voyage-rerank', () => {
  it("reads the reply of the vendor's documents", () => {
    expect(read(documented).list.results).toEqual([
      { index: 0, relevance_score: 0.4375 },
      { index: 1, relevance_score: 0.421875 },
    ]);
  });

  it('sends texts under the name of the vendor, and asks for no more results than there are documents', () => {
    expect(bodyOf({})).toEqual({ model: 'rerank-2.5', query: 'Which?', documents: ['a', 'b', 'c'] });
    expect(bodyOf({ top_n: 2, truncation: false })).toMatchObject({ top_k: 2, truncation: false });
    expect(bodyOf({ top_k: 9 })).toMatchObject({ top_k: 3 });
  });

  it('returns the shared list with the public model, and documents only on request', () => {
    const reply = { object: 'list', data: DATA, model: 'rerank-2.5', usage: { total_tokens: 26 } };
    expect(read(reply).list).toEqual({
      id: 'req_1',
      object: 'list',
      model: 'vg-rerank-2.5',
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.2 },
      ],
      data: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.2 },
      ],
      // Together's clients require all three counts.
      usage: { total_tokens: 26, prompt_tokens: 26, completion_tokens: 0 },
      meta: { tokens: { input_tokens: 26 } },
    });
    expect(read(reply).usage).toEqual({ units: { input_token: 26 }, inputTokensTotal: 26, isEstimated: false });
    expect(read(reply, { return_documents: true }).list.results[0]).toEqual({
      index: 1,
      relevance_score: 0.9,
      document: { text: 'b' },
    });
    expect(read(reply, { return_documents: true }).list.data[0]).toEqual({
      index: 1,
      relevance_score: 0.9,
      document: 'b',
    });
  });

  it('estimates the usage that the vendor does not report: the query counts for each document', () => {
    expect(read({ data: DATA }).usage).toEqual({ units: { input_token: 7 }, inputTokensTotal: 7, isEstimated: true });
  });

  it.each([
    [{ data: [] }],
    [{ data: [{ index: 3, relevance_score: 1 }] }],
    [{ data: [DATA[0], DATA[0]] }],
    [{ data: [{ index: -1, relevance_score: 1 }] }],
    [{ data: [{ index: 0 }] }],
    [[]],
  ])('refuses %j', (reply) => {
    expect(() => read(reply)).toThrow(/could not be read/);
  });

  it('throws only GatewayErrors for garbage', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          voyageRerank.readReply(Buffer.from(text), callOf());
        } catch (error) {
          expect(isGatewayError(error)).toBe(true);
        }
      }),
    );
  });
});
