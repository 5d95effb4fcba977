import { findModel } from '@gateway/catalogue';
import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS } from '../json-endpoints.js';

function validate(more: object) {
  const model = findModel('rerank-2.5');
  if (model === undefined) throw new Error('no model');
  return JSON_ENDPOINTS.rerank.validate(
    { model: model.id, query: 'Which?', documents: ['one', 'two'], ...more },
    model,
  );
}

function paramOf(more: object): string | undefined {
  try {
    validate(more);
  } catch (error) {
    if (isGatewayError(error)) return error.details.param;
  }
  throw new Error(`accepted ${JSON.stringify(more)}`);
}

describe('a rerank request', () => {
  it.each([
    [{ documents: ['a', { text: 'b', title: 'c' }], top_n: 1 }],
    [{ top_k: 5, return_documents: true, truncation: false }],
    [{ top_n: 2, top_k: 2, user: 'u' }],
    [{ documents: new Array(1_000).fill('x') }],
  ])('may be %j', (more) => {
    expect(validate(more)).toMatchObject({ isStream: false, abortContract: 'completes' });
  });

  it.each([
    [{ query: '' }, 'query'],
    [{ query: undefined }, 'query'],
    [{ documents: [] }, 'documents'],
    [{ documents: 'one' }, 'documents'],
    [{ documents: ['a', ''] }, 'documents[1]'],
    [{ documents: ['a', { title: 'b' }] }, 'documents[1].text'],
    [{ documents: new Array(1_001).fill('x') }, 'documents'],
    [{ top_n: 0 }, 'top_n'],
    [{ top_n: 1, top_k: 2 }, 'top_k'],
    [{ return_documents: 'yes' }, 'return_documents'],
    [{ rank_fields: ['title'] }, 'rank_fields'],
  ])('with %j is refused by name', (more, param) => {
    expect(paramOf(more)).toBe(param);
  });

  it('holds the query for each document', () => {
    const tokens = (more: object): number => validate(more).worstCase.units.input_token ?? 0;
    const long = 'word '.repeat(400);
    const one = tokens({ query: long, documents: ['x'] });
    expect(one).toBeGreaterThan(400);
    expect(tokens({ query: long, documents: new Array(50).fill('x') })).toBe(one * 50);
  });
});
