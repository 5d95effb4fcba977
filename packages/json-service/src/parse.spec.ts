import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parse } from './parse.js';

const schema = z.strictObject({
  name: z.string().min(1).max(5).optional(),
  code: z.string().min(3).optional(),
  count: z.number().min(2).lt(10).optional(),
  whole: z.int().optional(),
  tags: z.array(z.string()).min(1).max(2).optional(),
  role: z.enum(['owner', 'viewer']).optional(),
  kind: z.literal('one').optional(),
  inner: z.strictObject({ needed: z.string(), role: z.enum(['a', 'b']) }).optional(),
  own: z.string('must be a word').optional(),
});

function problemOf(input: unknown): readonly (string | null)[] {
  try {
    parse(schema, input);
  } catch (error) {
    if (isGatewayError(error)) return [error.toRecord().param ?? null, error.message];
    throw error;
  }
  return [];
}

describe('parse', () => {
  it.each([
    [{ name: 5 }, 'name', 'must be a string'],
    [{ name: '' }, 'name', 'must not be empty'],
    [{ name: 'longer' }, 'name', 'must have at most 5 characters'],
    [{ code: 'ab' }, 'code', 'must have at least 3 characters'],
    [{ count: '3' }, 'count', 'must be a number'],
    [{ count: 1 }, 'count', 'must be at least 2'],
    [{ count: 10 }, 'count', 'must be less than 10'],
    [{ whole: 1.5 }, 'whole', 'must be a whole number'],
    [{ tags: 'a' }, 'tags', 'must be an array'],
    [{ tags: [] }, 'tags', 'must not be empty'],
    [{ tags: ['a', 'b', 'c'] }, 'tags', 'must have at most 2 elements'],
    [{ tags: ['a', 1] }, 'tags[1]', 'must be a string'],
    [{ role: 'ower' }, 'role', 'must be one of owner, viewer'],
    [{ kind: 'two' }, 'kind', 'must be one'],
    [{ inner: [] }, 'inner', 'must be an object'],
    [{ inner: {} }, 'inner.needed', 'is required'],
    [{ inner: { needed: 'x' } }, 'inner.role', 'is required'],
    [{ own: 1 }, 'own', 'must be a word'],
    [{ nmae: 'a' }, 'nmae', 'is not a known field'],
  ])('says what is wrong with %j', (input, param, problem) => {
    expect(problemOf(input)).toEqual([param, `${param}: ${problem}`]);
  });

  it('says what is wrong with a body that has no fields', () => {
    expect(problemOf([])).toEqual([null, 'The request body is invalid: must be an object']);
  });

  it('takes a missing body as one without fields', () => {
    expect(parse(schema, undefined)).toEqual({});
  });
});
