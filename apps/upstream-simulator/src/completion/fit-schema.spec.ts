import { describe, expect, it } from '@jest/globals';
import { fitSchema } from './fit-schema.js';

describe('fitSchema', () => {
  it('fills every property with a value of its type', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer', minimum: 3, maximum: 9 },
        share: { type: 'number' },
        metric: { type: 'boolean' },
        nothing: { type: 'null' },
        unit: { enum: ['C', 'F'] },
        kind: { const: 'forecast' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 2 },
      },
      required: ['city'],
    };
    expect(fitSchema(schema)).toEqual({
      city: 'city 1',
      days: 3,
      share: 1,
      metric: true,
      nothing: null,
      unit: 'C',
      kind: 'forecast',
      tags: ['tags 1', 'tags 2'],
    });
  });

  it('gives parallel calls different arguments', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' }, unit: { enum: ['C', 'F'] } } };
    expect(fitSchema(schema, 2)).toEqual({ city: 'city 2', unit: 'F' });
  });

  it.each([
    [{ type: 'integer', exclusiveMinimum: 4 }, 5],
    [{ type: 'integer', maximum: -2 }, -2],
    [{ type: 'integer', multipleOf: 7, minimum: 8 }, 14],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 0.5],
    [{ type: 'string', minLength: 10 }, 'value 1xxx'],
    [{ type: 'string', maxLength: 3 }, 'val'],
    [{ type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }, '2026-01-02'],
    [{ type: 'string', format: 'email' }, 'ada@example.com'],
    [{ type: ['string', 'null'] }, 'value 1'],
    [{ type: 'STRING' }, 'value 1'],
  ])('keeps within %j', (schema, expected) => {
    expect(fitSchema(schema)).toBe(expected);
  });

  it('resolves references, also recursive ones', () => {
    const schema = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } },
          required: ['name'],
        },
      },
    };
    expect(fitSchema(schema)).toEqual({
      name: 'name 1',
      next: { name: 'name 1', next: { name: 'name 1', next: { name: 'name 1' } } },
    });
  });

  it('picks the first alternative that is not null and merges allOf', () => {
    const schema = {
      anyOf: [
        { type: 'null' },
        { allOf: [{ type: 'object', properties: { a: { type: 'boolean' } } }, { properties: { b: { const: 2 } } }] },
      ],
    };
    expect(fitSchema(schema)).toEqual({ a: true, b: 2 });
  });
});
